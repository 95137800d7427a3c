import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { FILE_MAX_BYTES } from 'server/contract';

/** The files chosen for a message that is not sent yet. */
export interface Staged {
  files: readonly File[];
  /** Why files that were chosen are not among them. */
  problem: string | null;
  add: (files: Iterable<File>) => void;
  remove: (file: File) => void;
  clear: () => void;
}

const NONE: readonly File[] = [];
/** The files that wait in every composer, as long as the page lives: one may look at another chat in between. */
const waiting = new Map<string, readonly File[]>();

/**
 * Takes files up to their limit, and says at once which ones the server would not take.
 * @param owner the user and the chat; who draws this draws it anew for another one
 */
export function useStaged(owner: string): Staged {
  const [files, show] = useState(waiting.get(owner) ?? NONE);
  const [problem, setProblem] = useState<string | null>(null);
  const setFiles = (change: (held: readonly File[]) => readonly File[]) => {
    const now = change(waiting.get(owner) ?? NONE);
    if (now.length > 0) waiting.set(owner, now);
    else waiting.delete(owner);
    show(now);
  };
  return {
    files,
    problem,
    add: (chosen) => {
      const all = [...chosen];
      setFiles((held) => [...held, ...all.filter(fits)]);
      setProblem(problemOf(all.filter((file) => !fits(file))));
    },
    remove: (file) => {
      setFiles((held) => held.filter((each) => each !== file));
      setProblem(null);
    },
    clear: () => {
      setFiles(() => NONE);
      setProblem(null);
    },
  };
}

/** What an element wears onto which files may be dropped, and whether some are held over it. */
export function useFileDrop(onFiles: ((files: Iterable<File>) => void) | null) {
  const [depth, setDepth] = useState(0);
  if (!onFiles) return { isOver: false, handlers: {} };
  const only = (use: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    use(event);
  };
  return {
    isOver: depth > 0,
    handlers: {
      onDragOver: only(() => undefined),
      // Told for every element that the pointer passes on its way.
      onDragEnter: only(() => setDepth((held) => held + 1)),
      onDragLeave: only(() => setDepth((held) => Math.max(0, held - 1))),
      onDrop: only(({ dataTransfer }) => {
        setDepth(0);
        onFiles(dataTransfer.files);
      }),
    },
  };
}

/** Takes the files of a paste, and leaves its text to the field. */
export function pasteFiles(event: ClipboardEvent, onFiles: (files: Iterable<File>) => void): void {
  const { files } = event.clipboardData;
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

function fits({ size }: File): boolean {
  return size > 0 && size <= FILE_MAX_BYTES;
}

function problemOf(refused: readonly File[]): string | null {
  const [first] = refused;
  if (!first) return null;
  const limit = `A file may have at most ${FILE_MAX_BYTES / 1024 / 1024} MB.`;
  if (refused.length > 1) return `${refused.length} files are empty or too large and were left out. ${limit}`;
  if (first.size === 0) return `“${first.name}” is empty and was left out.`;
  return `“${first.name}” is too large and was left out. ${limit}`;
}
