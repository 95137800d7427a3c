import { useEffect, useRef } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Find } from './finds.ts';

interface ResultsProps {
  /** What the ids of the rows begin with. */
  id: string;
  finds: readonly Find[];
  at: number;
  onPoint: (index: number) => void;
  onFollow: (find: Find) => void;
}

/** The places found, by what they are. */
export function Results({ id, finds, at, onPoint, onFollow }: ResultsProps) {
  return finds.map((find, index) => (
    <Result
      key={find.group + find.key}
      id={`${id}-${index}`}
      find={find}
      first={finds[index - 1]?.group !== find.group}
      active={index === at}
      onPoint={() => onPoint(index)}
      onFollow={() => onFollow(find)}
    />
  ));
}

interface ResultProps {
  id: string;
  find: Find;
  first: boolean;
  active: boolean;
  onPoint: () => void;
  onFollow: () => void;
}

function Result({ id, find, first, active, onPoint, onFollow }: ResultProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  return (
    <>
      {first && (
        <p role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">
          {find.group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the box, which keeps the focus */}
      <div
        ref={row}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        onPointerMove={onPoint}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onFollow}
        className={cx('flex cursor-default items-baseline gap-2 rounded-control px-2.5 py-2', active && 'bg-text/5')}
      >
        <span className="max-w-[60%] shrink-0 truncate font-medium">{find.title}</span>
        <span className="truncate text-muted">{find.text}</span>
      </div>
    </>
  );
}
