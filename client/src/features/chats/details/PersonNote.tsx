import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Chat, PERSON_NOTE_MAX_LENGTH, type PersonNote } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { ApiError, failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Time } from '../../../ui/Time.tsx';
import { patchThread } from '../live/cache.ts';

interface PersonNoteProps {
  chat: Chat;
  note: PersonNote | undefined;
  mayEdit: boolean;
}

/** What the team wrote down about the person, with who changed it last. */
export function PersonNoteSection({ chat, note, mayEdit }: PersonNoteProps) {
  const [editing, setEditing] = useState(false);
  if (!note && !mayEdit) return null;
  return (
    <section aria-label={t('Note on this person')} className="flex flex-col items-start gap-2 border-b px-5 py-5">
      <h3 className="text-xs text-muted">{t('Note on this person')}</h3>
      {editing ? (
        <NoteForm chat={chat} note={note} onDone={() => setEditing(false)} />
      ) : (
        <>
          {note && <NoteText note={note} />}
          {mayEdit && (
            <Button variant="secondary" size="sm" onClick={() => setEditing(true)}>
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

/** A change by a colleague meanwhile is shown beside what was typed, and is overwritten only by saving again. */
function NoteForm({ chat, note, onDone }: { chat: Chat; note: PersonNote | undefined; onDone: () => void }) {
  const [seen, setSeen] = useState(note);
  const [text, setText] = useState(note?.content ?? '');
  const write = useWriteNote(chat);
  const isNews = note?.version !== seen?.version;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setSeen(note);
    write.mutate({ content: text.trim(), ...(note && { version: note.version }) }, { onSuccess: onDone });
  };
  // The colleague's note comes as an event, and is then shown.
  const isChanged = write.error instanceof ApiError && write.error.code === 'NOTE_CHANGED';
  return (
    <form onSubmit={onSubmit} className="flex w-full flex-col gap-2">
      <Textarea
        aria-label={t('Note on this person')}
        autoFocus
        dir="auto"
        rows={5}
        value={text}
        maxLength={PERSON_NOTE_MAX_LENGTH}
        onChange={(event) => setText(event.target.value)}
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
      <div className="flex justify-end gap-2">
        <Button variant="secondary" size="sm" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" size="sm" busy={write.isPending}>
          {isNews ? t('Save mine instead') : t('Save')}
        </Button>
      </div>
    </form>
  );
}

function useWriteNote({ _id: chatId, visitorId }: Chat) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { content: string; version?: string }) =>
      call('PUT /visitors/:id/note', { params: { id: visitorId }, body }),
    onSuccess: ({ note }) =>
      patchThread(client, chatId, (thread) => {
        if (!thread.visitor) return thread;
        const { note: _, ...visitor } = thread.visitor;
        return { ...thread, visitor: { ...visitor, ...(note && { note }) } };
      }),
  });
}
