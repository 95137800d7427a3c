import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

interface SitePickerProps {
  sites: readonly Site[];
  selected: Site | null;
  isPending: boolean;
  onSelect: (id: string) => void;
}

/** The site that the site-wide screens act on. */
export function SitePicker({ sites, selected, isPending, onSelect }: SitePickerProps) {
  const navigate = useNavigate();
  return (
    <DropdownMenu
      label={t('Sites')}
      trigger={
        <button
          type="button"
          aria-label={isPending ? t('Sites') : undefined}
          className="flex h-10 w-full max-w-56 items-center gap-2 rounded-control px-2.5 text-start hover:bg-text/5"
        >
          <span className="min-w-0">
            <span className="block truncate leading-4 font-medium">
              {selected?.name ?? (isPending ? <Skeleton className="h-4 w-28" /> : t('Select Site'))}
            </span>
            {selected && <span className="address block truncate text-xs text-muted">{selected.domain}</span>}
          </span>
          <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-muted" />
        </button>
      }
    >
      {sites.length === 0 && (
        <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => navigate(paths.newSite)}>
          {t('Add Website')}
        </MenuItem>
      )}
      {sites.map((site) => (
        <MenuItem
          key={site._id}
          onSelect={() => onSelect(site._id)}
          icon={<Check size={16} aria-hidden className={site._id === selected?._id ? 'text-accent' : 'invisible'} />}
        >
          <span className="block truncate font-medium">{site.name}</span>
          <span className="address block truncate text-xs text-muted">{site.domain}</span>
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
