import { type Chat, can, type Site } from 'server/contract';
import { departmentInCharge, helpDueAt, useDepartments } from '#features/departments';
import { formatUpcoming } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Select } from '../../../ui/Select.tsx';
import { useClock } from '../../../ui/Time.tsx';
import { useChangeDepartment } from '../actions/api.ts';

/** Stands for no department in a select, whose values may not be empty. */
const NONE = 'none';

/** Which department a chat is for, and who is told of it; nothing where the site has none. */
export function DepartmentSection({ chat, site }: { chat: Chat; site: Site }) {
  const { data: departments = [] } = useDepartments(site._id);
  const change = useChangeDepartment();
  const { department } = chat;
  const mayChange = can(site, 'chats.reply') && chat.status !== 'closed';
  if (departments.length === 0 || (!mayChange && !department)) return null;
  return (
    <section aria-label={t('Department')} className="flex flex-col gap-2 border-b px-5 py-5">
      <h3 className="text-xs text-muted">{t('Department')}</h3>
      {mayChange ? (
        <Select
          label={t('Department')}
          value={department?._id ?? NONE}
          onValueChange={(to) => change(chat, departments.find(({ _id }) => _id === to) ?? null)}
          options={[
            { value: NONE, label: t('No department') },
            ...departments.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      ) : (
        <p dir="auto" className="text-left wrap-anywhere rtl:text-right">
          {department?.name}
        </p>
      )}
      <HelpTime chat={chat} departments={departments} />
    </section>
  );
}

interface HelpTimeProps {
  chat: Chat;
  departments: Parameters<typeof departmentInCharge>[0];
}

/** Of a chat that waits for the members of its department: when others are told of it. */
function HelpTime({ chat, departments }: HelpTimeProps) {
  const now = useClock();
  const inCharge = departmentInCharge(departments, chat, now);
  if (chat.status !== 'waiting' || !chat.department || !inCharge) return null;
  const at = helpDueAt(inCharge, chat.department);
  return (
    <p className="text-xs text-muted">
      {Number.isFinite(at)
        ? t('Others may help from {time}', { time: formatUpcoming(new Date(at).toISOString(), now) })
        : t('Only its members are told of this chat.')}
    </p>
  );
}
