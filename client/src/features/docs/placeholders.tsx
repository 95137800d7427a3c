import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type Site } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { useSelectedSiteId, useSites } from '../../shared/sites.ts';

type Fill = (code: string) => string;

interface Reader {
  fill: Fill;
  /** The websites of a reader who is signed in, once they are known. */
  sites?: readonly Site[] | undefined;
  /** The one whose code the examples have. */
  site?: Site | undefined;
}

const ReaderContext = createContext<Reader>({ fill: (code) => code });

/** Replaces the placeholders in all examples with the reader's own address and widget code. */
export function Placeholders({ children }: { children: ReactNode }) {
  const { isAuthenticated } = useAuth();
  return isAuthenticated ? <OwnValues>{children}</OwnValues> : <Filled>{children}</Filled>;
}

function OwnValues({ children }: { children: ReactNode }) {
  const { data: sites } = useSites();
  const [selected] = useSelectedSiteId();
  const [params] = useSearchParams();
  const withId = (id: string | null) => sites?.find(({ _id }) => _id === id);
  const site = withId(params.get('site')) ?? withId(selected) ?? sites?.[0];
  return (
    <Filled sites={sites} site={site}>
      {children}
    </Filled>
  );
}

function Filled({ sites, site, children }: Omit<Reader, 'fill'> & { children: ReactNode }) {
  const reader = useMemo<Reader>(() => {
    const sockets = (origin: string) => origin.replace(/^http/, 'ws');
    const fill = (code: string) =>
      code
        .replaceAll(sockets(DOC_ORIGIN), () => sockets(location.origin))
        .replaceAll(DOC_ORIGIN, () => location.origin)
        .replaceAll(DOC_WIDGET_CODE, () => site?.widgetCode ?? DOC_WIDGET_CODE);
    return { fill, sites, site };
  }, [sites, site]);
  return <ReaderContext value={reader}>{children}</ReaderContext>;
}

/** Who reads: the function that replaces the placeholders in a text, and the reader's websites. */
export function useReader(): Reader {
  return useContext(ReaderContext);
}
