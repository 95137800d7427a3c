import { ImageUp, Trash2 } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import toast from 'react-hot-toast';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { resizePicture } from './resizePicture.ts';

interface PictureProps {
  /** What the picture is, as in 'Profile picture'. */
  label: string;
  /** The picture as it is or would be: an address or a data URL. */
  value: string | null;
  onChange: (value: string | null) => void;
  square?: boolean;
  children: React.ReactNode;
}

/** A picture field with upload and removal; the picture is resized in the browser. */
export function PictureField({ label, value, onChange, square = true, children }: PictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    // The same file can be chosen again.
    event.target.value = '';
    if (!file) return;
    try {
      onChange(await resizePicture(file, { square }));
    } catch (failure) {
      toast.error(failureText(failure, t('The picture could not be read.')));
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium">{label}</span>
      <div className="flex flex-wrap items-center gap-4">
        {children}
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
            <ImageUp size={16} aria-hidden />
            {t('Upload picture')}
          </Button>
          {value && (
            <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
              <Trash2 size={16} aria-hidden />
              {t('Remove')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          aria-label={label}
          onChange={choose}
          className="sr-only"
          tabIndex={-1}
        />
      </div>
    </div>
  );
}
