import { Search as SearchIcon } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { onDemand } from '../../ui/onDemand.ts';
import { SEARCH_FIELD, SEARCH_PLACEHOLDER } from './field.ts';
import type { SearchProps } from './SearchBox.tsx';

const box = onDemand(() => import('./SearchBox.tsx'));

/** The search box; what it can do is fetched after the first screen, and its place is kept until then. */
export function Search(props: SearchProps) {
  const loaded = box.usePart(true);
  if (loaded) return <loaded.SearchBox {...props} />;
  return (
    <div className={cx('relative min-w-0 flex-1 md:max-w-md', props.className)}>
      <SearchIcon size={16} aria-hidden className="absolute top-3 left-3 text-muted" />
      <input disabled aria-label="Search" placeholder={SEARCH_PLACEHOLDER} className={SEARCH_FIELD} />
    </div>
  );
}
