/** One step of the scripted conversation on the landing page. */
export interface Beat {
  /** Delay after the previous step, in milliseconds. */
  afterMs: number;
  does: 'visitor-types' | 'visitor-writes' | 'claim' | 'agent-types' | 'agent-writes' | 'read';
  text?: string;
}

export const VISITOR = 'Mina Park';
export const AGENT = 'Ana';

export const SCRIPT: readonly Beat[] = [
  { afterMs: 900, does: 'visitor-types' },
  { afterMs: 1_300, does: 'visitor-writes', text: 'Hi! Does the oak desk also come in 140 cm?' },
  { afterMs: 1_300, does: 'claim' },
  { afterMs: 700, does: 'agent-types' },
  { afterMs: 1_700, does: 'agent-writes', text: 'Hi Mina, it does: 120, 140 and 160. The 140 ships this week.' },
  { afterMs: 900, does: 'read' },
  { afterMs: 500, does: 'visitor-types' },
  { afterMs: 1_200, does: 'visitor-writes', text: 'Perfect, that is all I needed' },
];

/** The step shown in the pre-rendered page: a visitor has written and waits. */
export const FIRST_PICTURE = 2;

export interface Line {
  from: 'visitor' | 'agent';
  text: string;
  read: boolean;
}

export interface Scene {
  lines: readonly Line[];
  typing: 'visitor' | 'agent' | null;
  draft: string | null;
  claimed: boolean;
}

/** What both sides show after the first `count` steps. */
export function sceneAfter(count: number): Scene {
  const draft = SCRIPT[count]?.text ?? null;
  const scene: { -readonly [Field in keyof Scene]: Scene[Field] } = { lines: [], typing: null, draft, claimed: false };
  for (const { does, text = '' } of SCRIPT.slice(0, count)) {
    if (does === 'claim') scene.claimed = true;
    else if (does === 'read') scene.lines = scene.lines.map((line) => ({ ...line, read: true }));
    else {
      const from = does.startsWith('visitor') ? 'visitor' : 'agent';
      const writes = does.endsWith('writes');
      scene.typing = writes ? null : from;
      // An answer marks the messages before it as read.
      if (writes) {
        const lines = scene.lines.map((line) => (line.from === from ? line : { ...line, read: true }));
        scene.lines = [...lines, { from, text, read: false }];
      }
    }
  }
  return scene;
}
