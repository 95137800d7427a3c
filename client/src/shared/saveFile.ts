import toast from 'react-hot-toast';
import { download } from '../lib/download.ts';
import { formatBytes } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { toastFailure } from '../ui/failureToast.tsx';

/**
 * Saves a file of the API with a toast that tells how far it has got, and offers another try where it fails.
 * @param path below the API's base, with its query
 */
export async function saveFile(path: string, fileName: string): Promise<void> {
  const id = toast.loading(t('Preparing {fileName}…', { fileName }));
  try {
    await download(path, fileName, {
      onProgress: (bytes) =>
        toast.loading(t('Saving {fileName}: {size}', { fileName, size: formatBytes(bytes) }), { id }),
    });
    toast.success(t('{fileName} was saved', { fileName }), { id });
  } catch (error) {
    toast.dismiss(id);
    const why =
      error instanceof Error && error.message ? error.message : t('{fileName} could not be saved.', { fileName });
    toastFailure(why, () => void saveFile(path, fileName));
  }
}
