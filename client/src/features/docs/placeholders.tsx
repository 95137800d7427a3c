import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { DOC_ORIGIN, DOC_WIDGET_CODE } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { useSelectedSiteId, useSites } from '../sites/api.ts';

type Fill = (code: string) => string;

const FillContext = createContext<Fill>((code) => code);

/** Replaces the placeholders in all examples with the reader's own address and widget code. */
export function Placeholders({ children }: { children: ReactNode }) {
  const { isAuthenticated } = useAuth();
  return isAuthenticated ? <OwnValues>{children}</OwnValues> : <Filled widgetCode={null}>{children}</Filled>;
}

function OwnValues({ children }: { children: ReactNode }) {
  const { data: sites } = useSites();
  const [chosen] = useSelectedSiteId();
  const site = sites?.find(({ _id }) => _id === chosen) ?? sites?.[0];
  return <Filled widgetCode={site?.widgetCode ?? null}>{children}</Filled>;
}

function Filled({ widgetCode, children }: { widgetCode: string | null; children: ReactNode }) {
  const fill = useMemo<Fill>(() => {
    const sockets = (origin: string) => origin.replace(/^http/, 'ws');
    return (code) =>
      code
        .replaceAll(sockets(DOC_ORIGIN), () => sockets(location.origin))
        .replaceAll(DOC_ORIGIN, () => location.origin)
        .replaceAll(DOC_WIDGET_CODE, () => widgetCode ?? DOC_WIDGET_CODE);
  }, [widgetCode]);
  return <FillContext value={fill}>{children}</FillContext>;
}

/** The function that replaces the placeholders in a text. */
export function useFillPlaceholders(): Fill {
  return useContext(FillContext);
}
