import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';

interface ReportCardProps {
  titleId: string;
  title: string;
  text: ReactNode;
  /** null: there is nothing to save. */
  onExport: (() => void) | null;
  children: ReactNode;
}

/** A card with a table that can be saved. */
export function ReportCard({ titleId, title, text, onExport, children }: ReportCardProps) {
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-card border bg-surface">
      <div className="flex items-start justify-between gap-3 p-4 sm:px-5">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-xs text-muted">{text}</p>
        </div>
        {onExport && (
          <Button variant="secondary" size="sm" onClick={onExport}>
            <Download size={16} aria-hidden />
            {t('Export CSV')}
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}
