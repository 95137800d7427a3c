/** Two notes: frequency in hertz, and start in seconds. */
const NOTES = [
  { pitch: 587.33, at: 0 },
  { pitch: 783.99, at: 0.13 },
];
const NOTE_S = 0.42;
const ATTACK_S = 0.012;
const VOLUME = 0.16;
/** The final volume: an exponential ramp cannot end at zero. */
const SILENCE = 0.0001;

let context: AudioContext | null = null;

/**
 * Plays the sound of a new message.
 * @returns false where the browser does not allow sound, as before the first user gesture
 */
export async function playMessageSound(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  context ??= new AudioContext();
  // Without a user gesture this promise stays pending, and the sound would come much later.
  if (context.state !== 'running') await Promise.race([context.resume(), resumeTimeout()]);
  if (context.state !== 'running') return false;
  for (const { pitch, at } of NOTES) play(context, pitch, context.currentTime + at);
  return true;
}

function play(audio: AudioContext, pitch: number, at: number): void {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(SILENCE, at);
  volume.gain.exponentialRampToValueAtTime(VOLUME, at + ATTACK_S);
  volume.gain.exponentialRampToValueAtTime(SILENCE, at + NOTE_S);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + NOTE_S);
}

const RESUME_MAX_MS = 200;

function resumeTimeout(): Promise<void> {
  return new Promise((done) => setTimeout(done, RESUME_MAX_MS));
}
