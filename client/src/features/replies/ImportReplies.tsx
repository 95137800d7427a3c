import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import type { ReplyImport, Site } from 'server/contract';
import { failureText, translated } from '../../lib/http.ts';
import { plural, t } from '../../lib/i18n.ts';
import { saveFile } from '../../shared/saveFile.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useImportReplies } from './changes.ts';

/** Imports and exports the canned replies as CSV. An import first shows what it would do. */
export function ImportReplies({ site }: { site: Site }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const tried = useImportReplies(site._id);
  const done = useImportReplies(site._id);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    // Else choosing the same file again, once it is mended, would send no event.
    target.value = '';
    if (!chosen) return;
    setFile(chosen);
    done.reset();
    tried.mutate({ file: chosen, dryRun: true });
  };
  const close = () => setFile(null);
  const run = () => {
    if (!file) return;
    done.mutate(
      { file, dryRun: false },
      {
        onSuccess: (result) => {
          if (result.errors.length > 0) return tried.mutate({ file, dryRun: true });
          close();
          toast.success(plural(changesOf(result), '{count} reply imported', '{count} replies imported'));
        },
      },
    );
  };
  const failure = tried.error ?? done.error;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <input ref={input} type="file" accept=".csv,text/csv" hidden aria-label={t('CSV file')} onChange={onChange} />
        <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
          <Upload size={16} aria-hidden />
          {t('Import CSV')}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => void saveFile(`/canned-replies/export?siteId=${site._id}`, 'canned-replies.csv')}
        >
          <Download size={16} aria-hidden />
          {t('Export CSV')}
        </Button>
      </div>
      {file && (
        <section aria-label={t('Import')} className="flex flex-col gap-3 rounded-control border p-3">
          <p dir="auto" className="truncate font-medium">
            {file.name}
          </p>
          {tried.isPending && <Spinner />}
          {failure && (
            <p role="alert" className="text-danger">
              {failureText(failure, t('The file could not be imported.'))}
            </p>
          )}
          {tried.data && <Outcome result={tried.data} />}
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" size="sm" onClick={close}>
              {t('Cancel')}
            </Button>
            {tried.data && changesOf(tried.data) > 0 && tried.data.errors.length === 0 && (
              <Button size="sm" busy={done.isPending} onClick={run}>
                {plural(changesOf(tried.data), 'Import {count} reply', 'Import {count} replies')}
              </Button>
            )}
          </div>
        </section>
      )}
    </>
  );
}

const changesOf = ({ added, changed }: ReplyImport) => added + changed;

function Outcome({ result: { added, changed, unchanged, errors } }: { result: ReplyImport }) {
  if (errors.length === 0)
    return (
      <p role="status">
        {t('{added} new, {changed} changed, {unchanged} already there.', { added, changed, unchanged })}
      </p>
    );
  return (
    <div role="alert">
      <p className="font-medium text-danger">{t('Nothing was imported. Please correct these lines:')}</p>
      <ul className="max-h-40 overflow-y-auto pt-1">
        {errors.map(({ line, message, ...parts }) => (
          <li key={`${line} ${message}`} className="wrap-anywhere">
            <span className="font-medium">{t('Line {line}:', { line })}</span> {translated(message, parts)}
          </li>
        ))}
      </ul>
    </div>
  );
}
