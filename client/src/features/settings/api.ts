import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Confirmation, Device, EnableBody, OwnSettings, SettingsPatch, SettingsSection } from 'server/contract';
import { call } from '../../lib/api.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { keys } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';

const SETTINGS = ['settings'];
const DEVICES = ['devices'];
const CONNECTION = ['connection'];
/** The sections of which the profile knows something. */
const IN_PROFILE: readonly SettingsSection[] = ['account', 'availability', 'keyboard', 'language'];

const settingsQuery = {
  queryKey: SETTINGS,
  queryFn: ({ signal }: { signal: AbortSignal }) => call('GET /settings', { signal }),
};

/** Everything the signed-in account has set. */
export function useSettings() {
  return useQuery({ ...settingsQuery, select: ({ settings }) => settings });
}

/** Whether mails to this server can be answered. */
export function useAnswerableMails(): boolean {
  return useQuery({ ...settingsQuery, select: ({ answerableMails = false }) => answerableMails }).data ?? false;
}

/** Reads the settings again when another tab or device has changed them: what is switched off there is not to go on here. */
export function useLiveSettings(): void {
  const queryClient = useQueryClient();
  const refresh = () => {
    for (const queryKey of [SETTINGS, keys.profile]) void queryClient.invalidateQueries({ queryKey });
  };
  useSocketEvents({ account_updated: refresh }, refresh);
}

/** Changes one tab; fields left out stay as they are. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsPatch) => call('PATCH /settings', { body }),
    onSuccess: async (answer, { section }) => {
      queryClient.setQueryData<OwnSettings>(SETTINGS, answer);
      if (IN_PROFILE.includes(section)) await queryClient.invalidateQueries({ queryKey: keys.profile });
    },
  });
}

/** For a setting that is saved at once: a toast says so, or that it failed. `save` never rejects. */
export function useSaveAtOnce() {
  const { mutateAsync, isPending } = useSaveSettings();
  const save = async (patch: SettingsPatch, onSaved: () => unknown = () => toast.success(t('Saved'))) => {
    try {
      await mutateAsync(patch);
      await onSaved();
    } catch (failure) {
      toast.error(failureText(failure, t('It could not be saved.')));
    }
  };
  return { save, isPending };
}

/** Changes the settings without a form, and reads them again. */
function useSettingsChange<Input, Data>(mutationFn: (input: Input) => Promise<Data>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queryClient.invalidateQueries({ queryKey: SETTINGS }) });
}

export function useDevices() {
  return useQuery({
    queryKey: DEVICES,
    queryFn: async ({ signal }) => (await call('GET /auth/sessions', { signal })).sessions,
    staleTime: 0,
  });
}

export function useEndDevice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => call('DELETE /auth/sessions/:id', { params: { id } }),
    onSuccess: (_, id) =>
      queryClient.setQueryData<Device[]>(DEVICES, (devices) => devices?.filter(({ _id }) => _id !== id)),
  });
}

/** Begins two-factor sign-in: what the authenticator app needs. */
export function useSetUpTwoFactor() {
  return useMutation({ mutationFn: () => call('POST /auth/two-factor/setup') });
}

/** Finishes the set-up with a code of the app and the password; answers the recovery codes, this once. */
export function useEnableTwoFactor() {
  return useSettingsChange(
    async (body: EnableBody) => (await call('POST /auth/two-factor/enable', { body })).recoveryCodes,
  );
}

export function useDisableTwoFactor() {
  return useSettingsChange((body: Confirmation) => call('POST /auth/two-factor/disable', { body }));
}

/** Ten new recovery codes; the ones before are void. */
export function useNewRecoveryCodes() {
  return useMutation({
    mutationFn: async (body: Confirmation) =>
      (await call('POST /auth/two-factor/recovery-codes', { body })).recoveryCodes,
  });
}

/** Whether the account is connected with one of the provider. */
export function useConnection() {
  return useQuery({
    queryKey: CONNECTION,
    queryFn: ({ signal }) => call('GET /auth/oidc/connection', { signal }),
  });
}

/** Begins to connect it; answers the address of the provider. */
export function useBeginConnection() {
  return useMutation({
    mutationFn: async (body: Confirmation) => (await call('POST /auth/oidc/connect', { body })).url,
  });
}

/** Connects it with the ticket that the provider's answer led to. */
export function useConnect() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ticket: string) => call('POST /auth/oidc/connection', { body: { ticket } }),
    onSuccess: (answer) => queryClient.setQueryData(CONNECTION, answer),
  });
}

export function useDisconnect() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Confirmation) => call('DELETE /auth/oidc/connection', { body }),
    onSuccess: () => queryClient.setQueryData(CONNECTION, { connection: null }),
  });
}

/** Deletes the account; nothing brings it back. */
export function useDeleteAccount() {
  return useMutation({ mutationFn: (body: Confirmation) => call('DELETE /auth/account', { body }) });
}
