import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { HistoryRow } from 'server/contract';
import { useDrawnPart } from '../../ui/drawnPart.ts';
import { Row } from './Row.tsx';

/** About the height of a row, until it is measured. */
const ROW_HEIGHT_PX = 65;
/** This many rows before the end the next page is asked for. */
const FETCH_AHEAD = 15;

interface TableProps {
  rows: readonly HistoryRow[];
  onOpen: (chatId: string) => void;
  /** Asks for more rows; must bear being asked again. */
  onNearEnd: () => void;
}

/** The chats found. Long lists are drawn in part, while the page around them scrolls. */
export function Table({ rows, onOpen, onNearEnd }: TableProps) {
  const table = useRef<HTMLTableElement>(null);
  const { shown, from, above, below, measure, view } = useDrawnPart(table, rows, ROW_HEIGHT_PX);
  useNearEnd(view, rows.length, onNearEnd);

  return (
    <table ref={table} aria-rowcount={rows.length + 1} className="w-full table-fixed border-separate border-spacing-0">
      <thead className="sticky top-0 z-10 text-left text-xs text-muted">
        <tr aria-rowindex={1}>
          <Head>Visitor</Head>
          <Head className="w-[18%] max-lg:hidden">Website</Head>
          <Head className="w-[18%] max-lg:hidden">Supporter</Head>
          <Head className="w-24 max-md:hidden">Duration</Head>
          <Head className="w-32 max-sm:hidden">Date</Head>
          <Head className="w-26 text-right">Actions</Head>
        </tr>
      </thead>
      <tbody>
        <Gap height={above} />
        {shown.map((row, index) => (
          <Row key={row._id} row={row} index={from + index} measure={measure} onOpen={() => onOpen(row._id)} />
        ))}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

function Head({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={`border-b bg-surface px-2 py-2.5 font-medium first:pl-4 last:pr-4 ${className}`}>
      {children}
    </th>
  );
}

/** Takes the place of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    height > 0 && (
      <tr aria-hidden>
        <td style={{ height }} className="p-0" />
      </tr>
    )
  );
}

function useNearEnd(page: HTMLElement | null, count: number, onNearEnd: () => void): void {
  const reachEnd = useEffectEvent(onNearEnd);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows are a reason to look again
  useEffect(() => {
    if (!page) return;
    const look = () => {
      const rest = page.scrollHeight - page.scrollTop - page.clientHeight;
      if (rest < FETCH_AHEAD * ROW_HEIGHT_PX) reachEnd();
    };
    look();
    page.addEventListener('scroll', look, { passive: true });
    return () => page.removeEventListener('scroll', look);
  }, [page, count]);
}
