import { useState } from 'react';
import type { Chat, Site } from 'server/contract';
import { SummaryNote, useCanWrite } from '#features/assistant';
import { DepartmentButtons } from '#features/departments';
import { repliersOf, Teammates, useMembers } from '#features/team';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { useTransfer, useTransferToDepartment } from '../actions/api.ts';

interface TransferProps {
  chat: Chat;
  site: Site;
  userId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Hands a chat to a teammate: those who are online are listed first. */
export function TransferDialog(props: TransferProps) {
  const name = visitorName(props.chat.visitorInfo.name);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={t('Hand to a teammate')}
      text={t('The chat of {name} will be answered by the person you choose.', { name })}
    >
      <TeammateList {...props} />
    </Dialog>
  );
}

/** Adds the note before the chat changes hands: whoever gets it has read it. */
async function addNote(chatId: string, note: string): Promise<void> {
  const content = note.trim();
  if (content === '') return;
  try {
    await call('POST /chats/:id/notes', { params: { id: chatId }, body: { content } });
  } catch (error) {
    showFailure(error, t('The note was not added.'), () => void addNote(chatId, note));
  }
}

function TeammateList({ chat, site, userId, onOpenChange }: TransferProps) {
  const members = useMembers(site._id);
  const transfer = useTransfer();
  const toDepartment = useTransferToDepartment();
  const canWrite = useCanWrite(site);
  const [note, setNote] = useState<string | null>(null);
  // The claimer has the chat already.
  const candidates =
    members.data && repliersOf(members.data, [site._id]).filter(({ _id }) => _id !== chat.claimedBy?._id);
  const leaveNote = (then: () => void) => {
    onOpenChange(false);
    void addNote(chat._id, note ?? '').finally(then);
  };
  return (
    <>
      {canWrite && <SummaryNote chatId={chat._id} note={note} onNote={setNote} />}
      <DepartmentButtons
        sites={[site._id]}
        except={chat.claimedBy ? undefined : chat.department?._id}
        onChoose={(department) => leaveNote(() => toDepartment(chat, department))}
      />
      <Teammates
        candidates={candidates}
        isError={members.isError}
        onRetry={() => void members.refetch()}
        nobody={t('Nobody else on the team can answer chats.')}
        userId={userId}
        queue={chat.claimedBy !== null}
        onChoose={(to) => leaveNote(() => transfer(chat, to))}
        onCancel={() => onOpenChange(false)}
      />
    </>
  );
}
