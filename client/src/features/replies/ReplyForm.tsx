import { Paperclip, X } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type Attachment,
  type CannedReply,
  can,
  FILE_MAX_BYTES,
  PLACEHOLDERS,
  REPLY_FILES_MAX,
  REPLY_MAX_LENGTH,
  SHORTCUT_MAX_LENGTH,
  type Site,
} from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { drafts, endDraft, useDraftValues } from '../../lib/drafts.ts';
import { formatBytes } from '../../lib/format.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { discardDraft } from '../../shared/discardDraft.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input, Textarea } from '../../ui/Input.tsx';
import { type ReplyValues, useSaveCannedReply } from './changes.ts';

interface ReplyFormProps {
  site: Site;
  /** `null`: a new one. */
  reply: CannedReply | null;
  onDone: () => void;
}

/** Creates or changes a canned reply. */
export function ReplyForm({ site, reply, onDone }: ReplyFormProps) {
  // Set once a new one is stored, although a file could not be: the next try changes it.
  const [stored, setStored] = useState(reply);
  const [kept, setKept] = useState<readonly Attachment[]>(reply?.files ?? []);
  const [added, setAdded] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useSaveCannedReply(site._id);
  const mayEditTeams = can(site, 'replies.edit');
  const { user } = useAuth();
  const key = `${user?._id}:canned:${site._id}:${reply?._id ?? 'new'}`;
  const [values, changeDraft] = useDraftValues<ReplyValues>(key, {
    shortcut: stored?.shortcut ?? '',
    content: stored?.content ?? '',
    personal: stored?.personal ?? !mayEditTeams,
  });
  const form = useForm<ReplyValues>({ values, resetOptions: { keepErrors: true }, reValidateMode: 'onSubmit' });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (entered) => {
    setProblem(null);
    const sent = drafts.read(key);
    try {
      const draft = { ...entered, kept: kept.map(({ url }) => url), added };
      const { saved, unsent } = await save.mutateAsync({ reply: stored, draft });
      endDraft(key, sent);
      const [first] = unsent;
      if (!first) return onDone();
      setStored(saved);
      setKept(saved.files);
      setAdded(unsent.map(({ file }) => file));
      const text = failureText(first.error, t('It could not be stored.'));
      setProblem(t('{name}: {text}', { name: first.file.name, text }));
    } catch (failure) {
      const broken = failure instanceof ApiError ? failure.errors[0] : undefined;
      const message = broken?.msg ?? failureText(failure, t('The reply could not be saved.'));
      form.setError(broken?.path === 'content' ? 'content' : 'shortcut', { message }, { shouldFocus: true });
    }
  });

  return (
    <form
      noValidate
      onSubmit={submit}
      onChange={() => changeDraft(form.getValues())}
      className="flex flex-col gap-5 pt-5"
    >
      <Field
        label={t('Shortcut')}
        hint={t('Type / and this shortcut to find the reply. Letters, digits, - and _.')}
        error={errors.shortcut?.message}
      >
        <Input
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          maxLength={SHORTCUT_MAX_LENGTH + 1}
          placeholder={t('hours')}
          {...form.register('shortcut', {
            validate: (shortcut) =>
              /^\s*\/?[\p{L}\p{M}\p{N}_-]+\s*$/u.test(shortcut) || t('Enter a shortcut without spaces'),
          })}
        />
      </Field>
      <Field
        label={t('Text')}
        hint={t('{names} become names. {{visitor.name|there}} says “there” where the name is not known.', {
          names: PLACEHOLDERS.map((name) => `{{${name}}}`).join(', '),
        })}
        error={errors.content?.message}
      >
        <Textarea
          dir="auto"
          rows={6}
          maxLength={REPLY_MAX_LENGTH}
          {...form.register('content', {
            validate: (content) => content.trim() !== '' || t('Enter the text of the reply'),
          })}
        />
      </Field>
      <Files kept={kept} added={added} onKept={setKept} onAdded={setAdded} onProblem={setProblem} />
      {problem !== null && (
        <p role="alert" className="text-danger wrap-anywhere">
          {problem}
        </p>
      )}
      {!reply && mayEditTeams && <Checkbox label={t('Only for me')} {...form.register('personal')} />}
      <FormButtons
        label={t('Save reply')}
        busy={save.isPending}
        onCancel={() => {
          discardDraft(key);
          onDone();
        }}
      />
    </form>
  );
}

interface FilesProps {
  kept: readonly Attachment[];
  added: readonly File[];
  onKept: (files: readonly Attachment[]) => void;
  onAdded: (files: readonly File[]) => void;
  onProblem: (problem: string | null) => void;
}

function Files({ kept, added, onKept, onAdded, onProblem }: FilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const room = REPLY_FILES_MAX - kept.length - added.length;
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    target.value = '';
    const fitting = chosen.filter(({ size }) => size > 0 && size <= FILE_MAX_BYTES);
    const isLeftOut = fitting.length < chosen.length || fitting.length > room;
    onProblem(
      isLeftOut
        ? t('Up to {files} files of at most {size} MB can be added.', {
            files: REPLY_FILES_MAX,
            size: FILE_MAX_BYTES / 1024 / 1024,
          })
        : null,
    );
    onAdded([...added, ...fitting.slice(0, room)]);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      {kept.length + added.length > 0 && (
        <ul aria-label={t('Files')} className="w-full divide-y rounded-control border">
          {kept.map((file) => (
            <FileRow key={file.url} file={file} onRemove={() => onKept(kept.filter((each) => each !== file))} />
          ))}
          {added.map((file, index) => (
            <FileRow
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
              key={index}
              file={file}
              onRemove={() => onAdded(added.filter((each) => each !== file))}
            />
          ))}
        </ul>
      )}
      <input ref={input} type="file" multiple hidden aria-label={t('Files to add')} onChange={onChange} />
      <Button variant="secondary" size="sm" disabled={room <= 0} onClick={() => input.current?.click()}>
        <Paperclip size={16} aria-hidden />
        {t('Add files')}
      </Button>
    </div>
  );
}

function FileRow({ file: { name, size }, onRemove }: { file: { name: string; size: number }; onRemove: () => void }) {
  return (
    <li className="flex items-center gap-2 py-0.5 pe-0.5 ps-3">
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {name}
      </span>
      <span className="shrink-0 text-xs text-muted tabular-nums">{formatBytes(size)}</span>
      <IconButton label={t('Remove {name}', { name })} size="sm" onClick={onRemove}>
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
