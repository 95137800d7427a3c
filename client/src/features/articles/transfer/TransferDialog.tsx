import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import type { Api, ArticleImport, HelpCenter } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { failureText } from '../../../lib/http.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { upload } from '../../../lib/upload.ts';
import { saveFile } from '../../../shared/saveFile.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { keys } from '../api.ts';
import { languageName } from '../words.ts';

interface TransferProps {
  siteId: string;
  help: HelpCenter;
  onDone: () => void;
}

/** Imports articles from a file or from web pages, and exports all of them. */
export function TransferDialog({ siteId, help, onDone }: TransferProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDone()}
      title={t('Import and export')}
      text={t('What is imported becomes drafts. A second import of the same doubles nothing.')}
    >
      <div className="flex flex-col gap-6 pt-5">
        <ImportFile siteId={siteId} />
        <ImportPages siteId={siteId} help={help} />
        <section className="flex flex-col items-start gap-2 border-t pt-5">
          <h3 className="font-medium">{t('Export')}</h3>
          <p className="text-muted">{t('All articles as Markdown files, with their pictures, in one zip file.')}</p>
          <Button
            variant="secondary"
            size="sm"
            onClick={() => void saveFile(`/sites/${siteId}/articles/export`, 'articles.zip')}
          >
            <Download size={16} aria-hidden />
            {t('Export all articles')}
          </Button>
        </section>
      </div>
    </Dialog>
  );
}

function useImport<Input>(siteId: string, run: (input: Input) => Promise<ArticleImport>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.articles(siteId) }),
  });
}

/** Imports a zip of Markdown files, after a dry run that shows the result. */
function ImportFile({ siteId }: { siteId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const send = (dryRun: boolean) => (zip: File) =>
    upload<Api['POST /sites/:id/articles/import']['data']>(
      `/sites/${siteId}/articles/import${dryRun ? '?dryRun=yes' : ''}`,
      zip,
      { onProgress: () => {}, signal: new AbortController().signal },
    );
  const tried = useImport(siteId, send(true));
  const done = useImport(siteId, send(false));
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    // Without this, choosing the same file again, once it is mended, sends no event.
    target.value = '';
    if (!chosen) return;
    setFile(chosen);
    done.reset();
    tried.mutate(chosen);
  };
  const failure = tried.error ?? done.error;
  const found = tried.data && !done.data ? tried.data.added + tried.data.changed : 0;
  return (
    <section className="flex flex-col items-start gap-2">
      <h3 className="font-medium">{t('Import a file')}</h3>
      <p className="text-muted">
        {t('A zip of Markdown files, as the export makes it. You first see what would change.')}
      </p>
      <input ref={input} type="file" accept=".zip" hidden aria-label={t('Zip file')} onChange={onChange} />
      <Button variant="secondary" size="sm" busy={tried.isPending} onClick={() => input.current?.click()}>
        <Upload size={16} aria-hidden />
        {t('Choose a file')}
      </Button>
      {file && (
        <p dir="auto" className="max-w-full truncate font-medium">
          {file.name}
        </p>
      )}
      {failure && <Problem text={failureText(failure, t('The file could not be imported.'))} />}
      {(done.data ?? tried.data) && <Outcome result={done.data ?? tried.data} isDone={done.data !== undefined} />}
      {file && found > 0 && (
        <Button size="sm" busy={done.isPending} onClick={() => done.mutate(file)}>
          {plural(found, 'Import {count} article', 'Import {count} articles')}
        </Button>
      )}
    </section>
  );
}

/** Pages of another help centre, by their addresses. */
function ImportPages({ siteId, help }: Omit<TransferProps, 'onDone'>) {
  const [lines, setLines] = useState('');
  const [lang, setLang] = useState(help.language);
  const read = useImport(siteId, (urls: string[]) =>
    call('POST /sites/:id/articles/import-pages', { params: { id: siteId }, body: { urls, lang } }),
  );
  const urls = lines.split(/\s+/).filter(Boolean);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (urls.length > 0) read.mutate(urls);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col items-start gap-3 border-t pt-5">
      <h3 className="font-medium">{t('Import web pages')}</h3>
      <div className="w-full">
        <Field
          label={t('Addresses, one in each line')}
          hint={t('Public pages with https, such as those of your old help centre.')}
        >
          <Textarea
            dir="ltr"
            rows={3}
            spellCheck={false}
            value={lines}
            placeholder="https://help.example.com/returns"
            onChange={({ target }) => setLines(target.value)}
          />
        </Field>
      </div>
      {help.languages.length > 0 && (
        <Field label={t('Language of the pages')}>
          <Select
            value={lang}
            onValueChange={setLang}
            options={[help.language, ...help.languages].map((value) => ({ value, label: languageName(value) }))}
          />
        </Field>
      )}
      {read.error && <Problem text={failureText(read.error, t('The pages could not be imported.'))} />}
      {read.data && <Outcome result={read.data} isDone />}
      <Button type="submit" variant="secondary" size="sm" busy={read.isPending} disabled={urls.length === 0}>
        {plural(Math.max(1, urls.length), 'Import {count} page', 'Import {count} pages')}
      </Button>
    </form>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="text-danger wrap-anywhere">
      {text}
    </p>
  );
}

function Outcome({ result, isDone }: { result: ArticleImport | undefined; isDone: boolean }) {
  if (!result) return null;
  const { added, changed, unchanged, leftOut } = result;
  return (
    <div className="w-full">
      <p role="status">
        {isDone
          ? t('Imported: {added} new, {changed} changed, {unchanged} already there.', { added, changed, unchanged })
          : t('{added} new, {changed} changed, {unchanged} already there.', { added, changed, unchanged })}
      </p>
      {leftOut.length > 0 && (
        <>
          <p className="pt-2 font-medium">{t('Left out')}</p>
          <ul className="max-h-40 divide-y overflow-y-auto">
            {leftOut.map(({ source, reason }) => (
              <li key={source} className="py-1.5 wrap-anywhere">
                <bdi className="block font-medium">{source}</bdi>
                <span className="text-muted">{t(reason)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
