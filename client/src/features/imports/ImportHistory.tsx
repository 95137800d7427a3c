import { Upload } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { HISTORY_FILE_MAX_BYTES, type HistoryImport } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { failureText } from '../../lib/http.ts';
import { plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { isRunning, useCancelImport, useNewestImport, useReloadChats, useUploadHistory } from './api.ts';
import { Counts } from './Counts.tsx';
import { Mapping } from './Mapping.tsx';
import { FAILURES } from './words.ts';

const BYTES_OF_MB = 1024 * 1024;

/** Imports the history of another chat: a file, what its columns are, a dry run, and the result. */
export function ImportHistory({ siteId }: { siteId: string }) {
  const { data: newest, isPending, refetch } = useNewestImport(siteId);
  const reload = useReloadChats();
  const status = newest?.status;
  const was = useRef(status);
  useEffect(() => {
    if (was.current === 'importing' && status !== 'importing') reload();
    was.current = status;
  }, [status, reload]);
  if (isPending) return <Skeleton className="h-24 w-full" />;
  if (newest === undefined)
    return <ErrorState what={t('The imports could not be loaded.')} onRetry={() => void refetch()} />;
  return (
    <div className="flex flex-col gap-5">
      {newest && isRunning(newest) && <Progress siteId={siteId} one={newest} />}
      {newest && isShownAsOver(newest) && <Outcome siteId={siteId} one={newest} />}
      {newest && ['uploaded', 'checked', 'failed'].includes(newest.status) ? (
        <Mapping key={newest._id} siteId={siteId} one={newest} />
      ) : (
        !isRunning(newest) && <ChooseFile siteId={siteId} />
      )}
    </div>
  );
}

/** Of a file that was put away before it was imported there is nothing to tell. */
function isShownAsOver({ status, counts }: HistoryImport): boolean {
  return status === 'done' || status === 'failed' || (status === 'cancelled' && counts.chats > 0);
}

function ChooseFile({ siteId }: { siteId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const send = useUploadHistory(siteId);
  const [share, setShare] = useState(0);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // Else choosing the same file again, once it is mended, would send no event.
    target.value = '';
    setShare(0);
    if (file) send.mutate({ file, onProgress: setShare });
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">
        {t(
          'CSV with the names of the columns in its first line, or JSON, of up to {size} MB. You see what would be imported before anything is stored.',
          { size: HISTORY_FILE_MAX_BYTES / BYTES_OF_MB },
        )}
      </p>
      <input
        ref={input}
        type="file"
        accept=".csv,.json,.jsonl,text/csv,application/json"
        hidden
        aria-label={t('File with the history')}
        onChange={onChange}
      />
      <Button variant="secondary" busy={send.isPending} onClick={() => input.current?.click()}>
        <Upload size={16} aria-hidden />
        {t('Choose a file')}
      </Button>
      {send.isPending && (
        <p role="status" className="text-muted">
          {share < 1 ? t('{percent} % sent', { percent: Math.round(share * 100) }) : t('Reading the file …')}
        </p>
      )}
      {send.error && (
        <p role="alert" className="text-danger">
          {failureText(send.error, t('The file could not be read.'))}
        </p>
      )}
    </div>
  );
}

function Progress({ siteId, one }: { siteId: string; one: HistoryImport }) {
  const cancel = useCancelImport(siteId);
  const { status, done, total } = one;
  const text =
    total === null
      ? t('Reading the file …')
      : t('{done} of {total} chats', { done: formatCount(done), total: formatCount(total) });
  const label = status === 'checking' ? t('Checking the file') : t('Importing');
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-wrap justify-between gap-x-4">
        <p className="font-medium">{label}</p>
        <p className="text-muted tabular-nums">{text}</p>
      </div>
      <Meter label={label} percent={total ? (done / total) * 100 : 0} text={text} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">{t('It goes on if you leave this page.')}</p>
        <Button variant="secondary" size="sm" busy={cancel.isPending} onClick={() => cancel.mutate(one._id)}>
          {t('Cancel')}
        </Button>
      </div>
    </div>
  );
}

function Outcome({ siteId, one: { status, fileName, counts, failure } }: { siteId: string; one: HistoryImport }) {
  const isOver = status === 'done' || counts.chats > 0;
  return (
    <div className="flex flex-col gap-3">
      <div role={failure ? 'alert' : 'status'}>
        <p dir="auto" className="truncate font-medium">
          {fileName}
        </p>
        {failure && <p className="text-danger">{t(FAILURES[failure])}</p>}
        {status === 'cancelled' && <p>{t('The import was cancelled. What it had stored stays.')}</p>}
        {status === 'done' && <p>{plural(counts.chats, '{count} chat imported.', '{count} chats imported.')}</p>}
      </div>
      {isOver && <Counts counts={counts} isDone />}
      {isOver && counts.chats > 0 && (
        <Link
          to={`${paths.history}?siteId=${siteId}`}
          className="w-fit font-medium text-accent hover:text-accent-strong"
        >
          {t('Open the history')}
        </Link>
      )}
    </div>
  );
}
