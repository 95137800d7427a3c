import { Download, FileText, FileType, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type Chat, can, type HistoryFilters } from 'server/contract';
import { useChat, useReopen } from '#features/chats';
import { facts, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useSites } from '../../shared/sites.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Button } from '../../ui/Button.tsx';
import { SidePanel } from '../../ui/Dialog.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { exportHistory } from './api.ts';
import { FilterBar } from './FilterBar.tsx';
import { HistoryResults } from './HistoryResults.tsx';
import { useHistoryUrl } from './historyUrl.ts';
import { useHistoryLive } from './live.ts';
import { ExportTranscriptMenu, Transcript } from './Transcript.tsx';

/** /dashboard/history */
export default function HistoryPage() {
  const url = useHistoryUrl();
  const [filtersShown, setFiltersShown] = useState(url.isFiltered);
  const filtersId = useId();
  useHistoryLive();
  return (
    <div className="flex w-full max-w-7xl flex-col gap-4 px-4 py-6 sm:p-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{t('Chat History')}</h1>
        <div className="flex gap-2">
          <Button
            variant="secondary"
            aria-expanded={filtersShown}
            aria-controls={filtersShown ? filtersId : undefined}
            onClick={() => setFiltersShown(!filtersShown)}
          >
            <SlidersHorizontal size={16} aria-hidden />
            {t('Filters')}
          </Button>
          <ExportMenu filters={url.filters} />
        </div>
      </div>
      {filtersShown && (
        <FilterBar
          id={filtersId}
          values={url.values}
          isFiltered={url.isFiltered}
          onChange={url.filter}
          onClear={url.clear}
        />
      )}
      <HistoryResults filters={url.filters} isFiltered={url.isFiltered} onOpen={url.open} onClear={url.clear} />
      {url.chatId !== null && <TranscriptPanel key={url.chatId} chatId={url.chatId} onClose={url.close} />}
    </div>
  );
}

function ExportMenu({ filters }: { filters: HistoryFilters }) {
  return (
    <DropdownMenu
      trigger={
        <Button>
          <Download size={16} aria-hidden />
          {t('Export')}
        </Button>
      }
    >
      <MenuItem icon={<FileText size={16} aria-hidden />} onSelect={() => exportHistory('txt', filters)}>
        {t('Text file (.txt)')}
      </MenuItem>
      <MenuItem icon={<FileType size={16} aria-hidden />} onSelect={() => exportHistory('pdf', filters)}>
        {t('PDF document (.pdf)')}
      </MenuItem>
    </DropdownMenu>
  );
}

function TranscriptPanel({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const { data: chat } = useChat(chatId);
  const name = visitorName(chat?.visitorInfo.name);
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title={chat ? name : t('Transcript')}
      text={
        chat && facts(chat.site.name || t('Unknown'), chat.department?.name, chat.claimedBy?.name ?? t('Unclaimed'))
      }
      actions={<ExportTranscriptMenu chatId={chatId} />}
    >
      <Transcript chatId={chatId} visitorName={name} footer={chat && <ChatActions chat={chat} />} />
    </SidePanel>
  );
}

/** The ways from the transcript to the chat itself; a closed one can be reopened on the way. */
function ChatActions({ chat }: { chat: Chat }) {
  const navigate = useNavigate();
  const { data: sites } = useSites();
  const site = sites?.find(({ _id }) => _id === chat.site._id);
  const reopen = useReopen(() => void navigate(paths.chat(chat._id)));
  return (
    <>
      {site && can(site, 'chats.reply') && chat.status === 'closed' && (
        <Button variant="secondary" size="sm" onClick={() => reopen(chat)}>
          {t('Reopen')}
        </Button>
      )}
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.chat(chat._id)}>{t('Open in the inbox')}</Link>
      </Button>
    </>
  );
}
