import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { FILE_MAX_BYTES } from 'server/contract';
import { drafts } from '../../../lib/drafts.ts';
import { plural, sentences, t } from '../../../lib/i18n.ts';

/** Removes what was half written to or about a chat or a visitor, by any user of this browser. */
export function forgetDraftsOf(id: string): void {
  for (const key of drafts.keys('')) if (key.includes(id)) drafts.write(key, '');
}

/** The files chosen for a message that is not sent yet. */
export type DraftFiles = ReturnType<typeof useDraftFiles>;

const NONE: readonly File[] = [];
/** By owner, and outside the components: the files are kept while the user looks at another chat. */
const filesByOwner = new Map<string, readonly File[]>();
// A reload would lose them.
window.addEventListener('beforeunload', (event) => {
  if (filesByOwner.size > 0) event.preventDefault();
});

/**
 * Keeps the chosen files in memory, and refuses at once those that the server would refuse.
 * @param owner the ids of the user and the chat; constant for one mounted component
 */
export function useDraftFiles(owner: string) {
  const [files, setShown] = useState(filesByOwner.get(owner) ?? NONE);
  const [problem, setProblem] = useState<string | null>(null);
  const setFiles = (change: (held: readonly File[]) => readonly File[]) => {
    const now = change(filesByOwner.get(owner) ?? NONE);
    if (now.length > 0) filesByOwner.set(owner, now);
    else filesByOwner.delete(owner);
    setShown(now);
  };
  return {
    files,
    /** Why some of the chosen files were left out. */
    problem,
    add: (chosen: Iterable<File>) => {
      const all = [...chosen];
      setFiles((held) => [...held, ...all.filter(fits)]);
      setProblem(problemOf(all.filter((file) => !fits(file))));
    },
    remove: (file: File) => {
      setFiles((held) => held.filter((each) => each !== file));
      setProblem(null);
    },
    clear: () => {
      setFiles(() => NONE);
      setProblem(null);
    },
  };
}

/** Drag and drop. @returns the handlers of an element that files may be dropped onto, and whether some are held over it */
export function useFileDrop(onFiles: ((files: Iterable<File>) => void) | null) {
  // Every element that the pointer enters or leaves on its way over the target sends an event: they are counted.
  const [depth, setDepth] = useState(0);
  if (!onFiles) return { isOver: false, handlers: {} };
  const filesOnly = (use: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    use(event);
  };
  return {
    isOver: depth > 0,
    handlers: {
      onDragOver: filesOnly(() => undefined),
      onDragEnter: filesOnly(() => setDepth((held) => held + 1)),
      onDragLeave: filesOnly(() => setDepth((held) => Math.max(0, held - 1))),
      onDrop: filesOnly(({ dataTransfer }) => {
        setDepth(0);
        onFiles(dataTransfer.files);
      }),
    },
  };
}

/** Adds pasted files; pasted text is left to the field. */
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
  const limit = t('A file can have at most {max} MB.', { max: FILE_MAX_BYTES / 1024 / 1024 });
  if (refused.length > 1) {
    const what = plural(
      refused.length,
      '{count} file is empty or too large and was not added.',
      '{count} files are empty or too large and were not added.',
    );
    return sentences(what, limit);
  }
  if (first.size === 0) return t('“{name}” is empty and was not added.', { name: first.name });
  return sentences(t('“{name}” is too large and was not added.', { name: first.name }), limit);
}
