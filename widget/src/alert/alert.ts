import type { Message } from 'server/contract';
import type { Desk } from '../chat/desk.ts';
import type { MoreWords } from '../languages/more.ts';

const FLASH_MS = 1_200;
const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const VOLUME = 0.08;
/** Other tabs that hear of the same answer within this time keep quiet. */
const QUIET_MS = 2_000;

type Surroundings = Pick<Desk, 'frame' | 'storage' | 'signal'>;

let flashing = false;

/** Tells of an answer that nobody looks at: by a sound, and in the title of a hidden page. */
export function alertTo({ senderName }: Message, { frame, storage, signal }: Surroundings, words: MoreWords): void {
  if (document.hidden) flash([words.newMessage, senderName].filter(Boolean).join(' · '), signal);
  // No sound before the visitor did something here: the browser would refuse it, and rightly.
  if (!storage.read('mute') && navigator.userActivation?.hasBeenActive) ringAlone(`parley:${frame.code}:ring`);
}

function flash(text: string, signal: AbortSignal): void {
  if (flashing) return;
  const { title } = document;
  const timer = setInterval(() => {
    document.title = document.title === text ? title : text;
  }, FLASH_MS);
  flashing = true;
  document.title = text;
  const life = new AbortController();
  const stop = () => {
    if (document.hidden && !signal.aborted) return;
    clearInterval(timer);
    // The page may have given itself another title meanwhile.
    if (document.title === text) document.title = title;
    flashing = false;
    life.abort();
  };
  document.addEventListener('visibilitychange', stop, { signal: life.signal });
  signal.addEventListener('abort', stop, { signal: life.signal });
}

/** One tab sounds, not all that have the site open. */
function ringAlone(name: string): void {
  const { locks } = navigator as { locks?: LockManager };
  const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const ringIfFree = (lock: Lock | null) => {
    if (lock) ring();
    return lock && quiet();
  };
  if (locks) locks.request(name, { ifAvailable: true }, ringIfFree).catch(ring);
  else ring();
}

/** Two soft tones, made here: nothing has to be fetched. */
function ring(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  const start = audio.currentTime;
  const end = start + TONES_HZ.length * TONE_S;
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(VOLUME / 100, end);
  volume.connect(audio.destination);
  TONES_HZ.forEach((pitch, at) => {
    const tone = audio.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(volume);
    tone.start(start + at * TONE_S);
    tone.stop(start + (at + 1) * TONE_S);
  });
  setTimeout(() => void audio.close(), QUIET_MS);
}
