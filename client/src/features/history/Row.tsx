import { Download, Eye } from 'lucide-react';
import type { HistoryRow } from 'server/contract';
import { formatDate, formatDateTime, formatTime } from '../../lib/format.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { exportChat } from './exports.ts';

const CELL = 'border-b px-2 py-3 first:pl-4 last:pr-4';

interface RowProps {
  row: HistoryRow;
  /** Its place in the list, from 0. */
  index: number;
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  onOpen: () => void;
}

/** One chat. Where columns find no room, the visitor's cell says what they would. */
export function Row({ row, index, measure, onOpen }: RowProps) {
  const name = visitorName(row.visitorInfo.name);
  const website = row.site.name || 'Unknown';
  const supporter = row.claimedBy?.name || 'Unclaimed';
  const duration = `${row.durationMinutes} min`;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className="hover:bg-text/3">
      <td className={CELL}>
        <div className="flex min-w-0 items-center gap-3">
          <span className="max-sm:hidden">
            <Avatar name={name} />
          </span>
          <div className="min-w-0">
            <p dir="auto" className="truncate font-medium">
              {name}
            </p>
            <p className="truncate text-muted">{row.visitorInfo.email || 'No email'}</p>
            <p className="truncate text-xs text-muted lg:hidden">
              {website} · {supporter}
              <span className="max-sm:hidden md:hidden"> · {duration}</span>
            </p>
            <p className="truncate text-xs text-muted sm:hidden">
              {formatDate(row.createdAt)} · {duration}
            </p>
          </div>
        </div>
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        <p dir="auto" className="truncate" title={website}>
          {website}
        </p>
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        <p dir="auto" className={`truncate ${row.claimedBy ? '' : 'text-muted'}`} title={supporter}>
          {supporter}
        </p>
      </td>
      <td className={`${CELL} max-md:hidden`}>{duration}</td>
      <td className={`${CELL} max-sm:hidden`}>
        <Began at={row.createdAt} />
      </td>
      <td className={`${CELL} text-right whitespace-nowrap`}>
        <IconButton label={`View transcript of ${name}`} onClick={onOpen}>
          <Eye size={18} aria-hidden />
        </IconButton>
        <IconButton label={`Download transcript of ${name}`} onClick={() => exportChat(row._id, 'txt')}>
          <Download size={18} aria-hidden />
        </IconButton>
      </td>
    </tr>
  );
}

function Began({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      <span className="block whitespace-nowrap">{formatDate(at)}</span>
      <span className="block text-xs text-muted">{formatTime(at)}</span>
    </time>
  );
}
