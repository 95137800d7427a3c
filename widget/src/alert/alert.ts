import { soundInLastTab } from 'browser/soundTurn';
import type { Message } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';
import type { State } from '../chat/state.ts';
import type { Storage } from '../chat/storage.ts';
import type { PartTexts } from '../languages/en.ts';

const FLASH_MS = 1_200;
const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const VOLUME = 0.08;
/** After one tab has made a sound, the others make none for this time: the message is probably the same. */
const QUIET_MS = 2_000;

let flashing = false;

/** Announces a message that is not on screen: by a sound, and in the title of a hidden page. */
export function alertVisitor(
  { senderName }: Message,
  { host, storage, store, signal }: ChatContext,
  texts: PartTexts,
): void {
  if (document.hidden) flash([texts.newMessage, senderName].filter(Boolean).join(' · '), store.state, signal);
  // Browsers refuse a sound before the visitor has clicked or typed on the page.
  if (!storage.read('mute') && navigator.userActivation?.hasBeenActive) ringInOneTab(host.code, storage);
}

function flash(text: string, state: State, signal: AbortSignal): void {
  if (flashing) return;
  const turn = () => {
    const isOurs = document.title === text;
    // The page's router may have set another title meanwhile.
    if (!isOurs) state.ownTitle = document.title;
    document.title = isOurs ? (state.ownTitle ?? '') : text;
  };
  const timer = setInterval(turn, FLASH_MS);
  flashing = true;
  turn();
  const lifetime = new AbortController();
  const stop = () => {
    if (document.hidden && !signal.aborted) return;
    clearInterval(timer);
    if (document.title === text) document.title = state.ownTitle ?? '';
    delete state.ownTitle;
    flashing = false;
    lifetime.abort();
  };
  document.addEventListener('visibilitychange', stop, { signal: lifetime.signal });
  signal.addEventListener('abort', stop, { signal: lifetime.signal });
}

/** Makes a sound in one of the tabs that have the site open, not in all. */
export function ringInOneTab(code: string, storage: Storage, sound: () => void = ring): void {
  const { locks } = navigator as { locks?: LockManager };
  const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const ringIfFree = (lock: Lock | null) => {
    if (lock) sound();
    return lock && quiet();
  };
  const turn = { read: () => storage.read('ring'), write: (name: string) => storage.write('ring', name) };
  const ringWithoutLocks = () => soundInLastTab(turn, QUIET_MS, sound);
  if (locks) locks.request(`parley:${code}:ring`, { ifAvailable: true }, ringIfFree).catch(ringWithoutLocks);
  else ringWithoutLocks();
}

/** Two soft tones, generated: nothing has to be loaded. */
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
