import toast from 'react-hot-toast';
import { download } from '../lib/download.ts';
import { formatBytes } from '../lib/format.ts';
import { toastFailure } from '../ui/failureToast.tsx';

/**
 * Saves a file of the API with a toast that tells how far it has got, and offers another try where it fails.
 * @param path below the API's base, with its query
 */
export async function saveFile(path: string, fileName: string): Promise<void> {
  const id = toast.loading(`Preparing ${fileName}…`);
  try {
    await download(path, fileName, {
      onProgress: (bytes) => toast.loading(`Saving ${fileName}: ${formatBytes(bytes)}`, { id }),
    });
    toast.success(`${fileName} was saved`, { id });
  } catch (error) {
    toast.dismiss(id);
    const why = error instanceof Error && error.message ? error.message : `${fileName} could not be saved.`;
    toastFailure(why, () => void saveFile(path, fileName));
  }
}
