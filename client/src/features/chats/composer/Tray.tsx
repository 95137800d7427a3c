import { FileText, X } from 'lucide-react';
import { formatBytes } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Staged } from './staged.ts';

/** The files that go with the next message. */
export function Tray({ staged }: { staged: Staged }) {
  return (
    <>
      {staged.problem !== null && (
        <p role="alert" className="px-3.5 pt-2.5 text-xs font-medium wrap-anywhere text-danger">
          {staged.problem}
        </p>
      )}
      {staged.files.length > 0 && (
        <ul aria-label="Files to send" className="flex max-h-32 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
          {staged.files.map((file, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
              key={index}
              className="flex max-w-full items-center gap-2 rounded-control border bg-background py-0.5 pr-0.5 pl-2.5 text-xs"
            >
              <FileText size={16} aria-hidden className="shrink-0 text-muted" />
              <span dir="auto" className="max-w-48 min-w-0 truncate font-medium">
                {file.name}
              </span>
              <span className="shrink-0 text-muted tabular-nums">{formatBytes(file.size)}</span>
              <IconButton label={`Leave out ${file.name}`} size="sm" onClick={() => staged.remove(file)}>
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
