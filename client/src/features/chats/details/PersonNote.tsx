import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Chat, PERSON_NOTE_MAX_LENGTH, type PersonNote } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { drafts, endDraft, useDraft, useDraftValues } from '../../../lib/drafts.ts';
import { ApiError, failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { discardDraft } from '../../../shared/discardDraft.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Time } from '../../../ui/Time.tsx';
import { patchThread } from '../live/thread.ts';

interface PersonNoteProps {
  chat: Chat;
  userId: string;
  note: PersonNote | undefined;
  mayEdit: boolean;
}

/** What the team wrote down about the person, with who changed it last. */
export function PersonNoteSection({ chat, userId, note, mayEdit }: PersonNoteProps) {
  const [isBegun, setBegun] = useState(false);
  const key = `${userId}:person:${chat.visitorId}`;
  const [draft] = useDraft(key);
  if (!note && !mayEdit) return null;
  return (
    <section aria-label={t('Note on this person')} className="flex flex-col items-start gap-2 border-b px-5 py-5">
      <h3 className="text-xs text-muted">{t('Note on this person')}</h3>
      {mayEdit && (isBegun || draft !== '') ? (
        <NoteForm
          chat={chat}
          draftKey={key}
          note={note}
          isBegun={isBegun}
          onBegin={() => setBegun(true)}
          onDone={() => setBegun(false)}
        />
      ) : (
        <>
          {note && <NoteText note={note} />}
          {mayEdit && (
            <Button variant="secondary" size="sm" onClick={() => setBegun(true)}>
              {note ? t('Change note') : t('Add a note')}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function NoteText({ note: { content, author, at } }: { note: PersonNote }) {
  return (
    <>
      <p dir="auto" className="max-w-full whitespace-pre-wrap wrap-anywhere">
        {content}
      </p>
      <p className="text-xs text-muted">
        <bdi>{author.name}</bdi>, <Time at={at} />
      </p>
    </>
  );
}

interface NoteFormProps {
  chat: Chat;
  draftKey: string;
  note: PersonNote | undefined;
  /** Whether the user has just opened the form, which a draft opens as well. */
  isBegun: boolean;
  /** The user writes in a form that a draft had opened: it stays, even if the draft ends. */
  onBegin: () => void;
  onDone: () => void;
}

interface NoteDraft {
  text: string;
  /** The version of the note that its writer has seen; '' for none. */
  seen?: string;
}

/** A change by a colleague meanwhile is shown beside what was typed, and is overwritten only by saving again. */
function NoteForm({ chat, draftKey, note, isBegun, onBegin, onDone }: NoteFormProps) {
  const version = note?.version ?? '';
  const [draft, change] = useDraftValues<NoteDraft>(draftKey, { text: note?.content ?? '' });
  const { text, seen = version } = draft;
  const content = text.trim();
  const write = useWriteNote(chat, draftKey);
  const isNews = version !== seen && note?.content !== content;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    change({ seen: version });
    write.mutate({ content, ...(note && { version }), sent: drafts.read(draftKey) }, { onSuccess: onDone });
  };
  const cancel = () => {
    discardDraft(draftKey);
    onDone();
  };
  // The colleague's note comes as an event, and is then shown.
  const isChanged = write.error instanceof ApiError && write.error.code === 'NOTE_CHANGED';
  return (
    <form onSubmit={onSubmit} className="flex w-full flex-col gap-2">
      <Textarea
        aria-label={t('Note on this person')}
        autoFocus={isBegun}
        dir="auto"
        rows={5}
        // The answer closes the form.
        readOnly={write.isPending}
        value={text}
        maxLength={PERSON_NOTE_MAX_LENGTH}
        onFocus={onBegin}
        onChange={({ target }) => change({ text: target.value, seen })}
      />
      {(isNews || isChanged) && (
        <div role="alert" className="flex flex-col gap-1 rounded-control bg-waiting-soft p-3">
          <p className="font-medium">
            {isNews && !note
              ? t('This note was removed meanwhile.')
              : t('A colleague has changed this note meanwhile.')}
          </p>
          {isNews && note && <NoteText note={note} />}
        </div>
      )}
      {write.isError && !isChanged && (
        <p role="alert" className="text-danger">
          {failureText(write.error, t('The note could not be saved.'))}
        </p>
      )}
      <FormButtons
        label={isNews ? t('Save mine instead') : t('Save')}
        size="sm"
        busy={write.isPending}
        onCancel={cancel}
      />
    </form>
  );
}

/** The answer ends the draft that was sent, also when another chat is open by then. */
function useWriteNote({ _id: chatId, visitorId }: Chat, draftKey: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ sent: _, ...body }: { content: string; version?: string; sent: string }) =>
      call('PUT /visitors/:id/note', { params: { id: visitorId }, body }),
    onSuccess: ({ note }, { sent }) => {
      endDraft(draftKey, sent);
      patchThread(client, chatId, (thread) => {
        if (!thread.visitor) return thread;
        const { note: _, ...visitor } = thread.visitor;
        return { ...thread, visitor: { ...visitor, ...(note && { note }) } };
      });
    },
  });
}
