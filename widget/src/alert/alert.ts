import type { Message } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';
import type { Storage } from '../chat/storage.ts';
import type { PartTexts } from '../languages/en.ts';

const FLASH_MS = 1_200;
const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const VOLUME = 0.08;
/** After one tab has made a sound, the others make none for this time: the message is probably the same. */
const QUIET_MS = 2_000;

/** How long tabs without Web Locks wait for each other's entry in the storage. */
const TAB_VOTE_MS = 150;

let flashing = false;

/** Announces a message that is not on screen: by a sound, and in the title of a hidden page. */
export function alertVisitor({ senderName }: Message, { host, storage, signal }: ChatContext, texts: PartTexts): void {
  if (document.hidden) flash([texts.newMessage, senderName].filter(Boolean).join(' · '), signal);
  // Browsers refuse a sound before the visitor has clicked or typed on the page.
  if (!storage.read('mute') && navigator.userActivation?.hasBeenActive) ringInOneTab(host.code, storage);
}

function flash(text: string, signal: AbortSignal): void {
  if (flashing) return;
  const { title } = document;
  const timer = setInterval(() => {
    document.title = document.title === text ? title : text;
  }, FLASH_MS);
  flashing = true;
  document.title = text;
  const lifetime = new AbortController();
  const stop = () => {
    if (document.hidden && !signal.aborted) return;
    clearInterval(timer);
    // The page may have set another title meanwhile.
    if (document.title === text) document.title = title;
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
  const ringWithoutLocks = () => ringIfLast(storage, sound);
  if (locks) locks.request(`parley:${code}:ring`, { ifAvailable: true }, ringIfFree).catch(ringWithoutLocks);
  else ringWithoutLocks();
}

/** Without TLS there are no Web Locks: each tab writes its name to the storage, and the last one to write makes the sound. */
function ringIfLast(storage: Storage, sound: () => void): void {
  const since = Date.now() - Number.parseInt(storage.read('ring') || '0', 10);
  if (since >= TAB_VOTE_MS && since < QUIET_MS) return;
  const name = `${Date.now()} ${Math.random()}`;
  storage.write('ring', name);
  setTimeout(() => storage.read('ring') === name && sound(), TAB_VOTE_MS);
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
