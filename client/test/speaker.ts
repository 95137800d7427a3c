import { vi } from 'vitest';

const NOTES_PER_TONE = 2;

/** Each note that was played: the page keeps its loudspeaker from one test to the next. */
const notes = vi.fn();

class FakeAudio {
  state = 'running';
  currentTime = 0;
  createOscillator = () => ({ frequency: {}, connect: (to: object) => to, start: notes, stop: () => undefined });
  createGain = () => ({
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
    connect: () => undefined,
  });
}

/** The browser's loudspeaker, as far as a page can use it; gives how often it has rung since. */
export function fakeSpeaker(): () => number {
  notes.mockClear();
  vi.stubGlobal('AudioContext', FakeAudio);
  return () => notes.mock.calls.length / NOTES_PER_TONE;
}
