// Short sounds, made here: no file is loaded. This module is loaded once sound is switched on.

/** One tone: its pitch in Hz, when it begins and how long it lasts in seconds. */
/** @typedef {[pitch: number, start: number, length: number]} Tone */

/** @type {Record<SoundName, Tone[]>} */ // biome-ignore format: tones on one line
const TONES = {
  chip: [[2100, 0, 0.04], [2600, 0.03, 0.04]],
  turn: [[660, 0, 0.09], [880, 0.1, 0.12]],
  win: [[523, 0, 0.12], [659, 0.11, 0.12], [784, 0.22, 0.2]],
  lose: [[294, 0, 0.16], [220, 0.15, 0.24]],
  natural: [[523, 0, 0.1], [659, 0.09, 0.1], [784, 0.18, 0.1], [1047, 0.27, 0.3]],
};
const LOUDNESS = 0.12; // of the loudest that a device can do
const CARD_LENGTH = 0.07; // seconds
const CARD_PITCH = 2400; // Hz, about which the noise of a card is

/** @type {AudioContext | undefined} */
let context;

/** @param {SoundName | "card"} name */
export function play(name) {
  // A browser lets a page sound only after its user has done something there, and says so on the console.
  if (!navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  if (name === "card") card(context);
  else for (const tone of TONES[name]) sound(context, tone);
}

/** @param {AudioContext} audio @param {Tone} tone */
function sound(audio, [pitch, start, length]) {
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const begin = audio.currentTime + start;
  oscillator.connect(fading(audio, begin, length));
  oscillator.start(begin);
  oscillator.stop(begin + length);
}

/** Noise about one pitch. */
/** @param {AudioContext} audio */
function card(audio) {
  const noise = new AudioBuffer({ length: audio.sampleRate * CARD_LENGTH, sampleRate: audio.sampleRate });
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: CARD_PITCH });
  source.connect(filter).connect(fading(audio, audio.currentTime, CARD_LENGTH));
  source.start();
}

/** @param {AudioContext} audio @param {number} begin @param {number} length */
function fading(audio, begin, length) {
  const gain = new GainNode(audio, { gain: LOUDNESS });
  gain.gain.setValueAtTime(LOUDNESS, begin);
  gain.gain.linearRampToValueAtTime(0, begin + length);
  gain.connect(audio.destination);
  return gain;
}

/**
 * The sound for a state that is drawn; null for silence. Of several sounds, the one that matters most.
 *
 * @param {State} state
 * @param {State} before the state that was drawn last
 * @returns {SoundName | "card" | null}
 */
export function soundOf(state, before) {
  const own = ownHand(state);
  const old = ownHand(before);
  if (own !== null && own.state === "natural" && old?.state !== "natural") return "natural";
  if (own !== null && own.result !== null && old?.result === null) return RESULTS[own.result] ?? null;
  if (state.answer?.startsWith("BET") && state.answer !== before.answer) return "chip";
  if (state.asked && !before.asked) return "turn";
  return cards(state) === cards(before) ? null : "card";
}

/** @type {Partial<Record<Outcome, SoundName>>} */
const RESULTS = { WIN: "win", LOSE: "lose", BUST: "lose", SURRENDER: "lose", PUSH: "chip" };

/** @param {State} state */
function ownHand({ table }) {
  return table === null || table.you === null ? null : (table.seats[table.you] ?? null);
}

/** @param {State} state */
function cards({ table }) {
  if (table === null) return "";
  const seats = table.seats.map((seat) => (seat.hands ?? [seat]).map((hand) => hand.cards));
  return JSON.stringify([seats, table.dealer?.cards]);
}
