"""What the tests of this folder share with those of the dealer."""

from tests.dealer.conftest import classic_player as classic_player
