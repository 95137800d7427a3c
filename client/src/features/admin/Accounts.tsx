import { Search, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useDebounced } from '../../lib/timing.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Input } from '../../ui/Input.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AccountRow } from './AccountRow.tsx';
import { useAccounts } from './api.ts';

const SEARCH_AFTER_MS = 250;
const SEARCH_MAX_LENGTH = 200;
const ROW_HEIGHT_PX = 65;

/** All accounts, to be found, suspended and let in. */
export function Accounts() {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), SEARCH_AFTER_MS);
  const query = useAccounts(search);
  const { data: accounts, isPending, refetch } = query;
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="accounts" className="text-base font-semibold">
          Accounts
        </h2>
        <div className="relative w-full sm:w-72">
          <Search size={16} aria-hidden className="absolute top-3 left-3 text-muted" />
          <Input
            type="search"
            aria-label="Search accounts"
            placeholder="Name or email"
            maxLength={SEARCH_MAX_LENGTH}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="pl-9!"
          />
        </div>
      </div>
      <div className="rounded-card border bg-surface">
        {isPending && <Skeleton className="h-64 rounded-card!" />}
        {!isPending && !accounts && (
          <ErrorState what="The accounts could not be loaded." onRetry={() => void refetch()} />
        )}
        {accounts?.length === 0 && (
          <EmptyState icon={SearchX} title="No accounts found" text="Try the beginning of a name or of an address." />
        )}
        {accounts && accounts.length > 0 && (
          <LongList
            label="Accounts"
            className="divide-y"
            rows={accounts}
            rowHeight={ROW_HEIGHT_PX}
            row={(account, place) => <AccountRow account={account} place={place} />}
          />
        )}
        <ShowMore of={query} />
      </div>
    </section>
  );
}
