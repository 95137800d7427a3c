import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';

type Paged = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** The 'Show more' button of a paginated list. */
export function ShowMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: Paged }) {
  if (!hasNextPage) return null;
  return (
    <div className="flex justify-center border-t p-3">
      <Button variant="secondary" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('Show more')}
      </Button>
    </div>
  );
}
