import type { UseMutationResult } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { showFailure } from '../ui/failureToast.tsx';

interface Outcome<Data> {
  /** Shown in a toast when it went well; left out where the screen shows it anyway. */
  success?: string | ((data: Data) => string);
  /** A sentence that says what failed. */
  failure: string;
  onSuccess?: (data: Data) => void;
}

/**
 * Runs a mutation and shows in a toast how it went, a failure with a retry where one may help.
 * @returns runs it; the promise never rejects, and ends too if the component is gone by then
 */
export function useAction<Data, Input>(
  { mutateAsync }: Pick<UseMutationResult<Data, Error, Input>, 'mutateAsync'>,
  { success, failure, onSuccess }: Outcome<Data>,
): (input: Input) => Promise<void> {
  const run = async (input: Input): Promise<void> => {
    try {
      const data = await mutateAsync(input);
      if (success !== undefined) toast.success(typeof success === 'string' ? success : success(data));
      onSuccess?.(data);
    } catch (error) {
      showFailure(error, failure, () => void run(input));
    }
  };
  return run;
}
