import { useEffect } from 'react';
import { useLocation, useNavigate, useRouteError } from 'react-router-dom';
import { ErrorState } from '../ui/ErrorState.tsx';

/** Stands in for a screen that broke; what is around it goes on. */
export function RouteError() {
  const error = useRouteError();
  const here = useLocation();
  const navigate = useNavigate();
  useEffect(() => console.error(error), [error]);
  // Going where one is draws the screen anew.
  const again = () => navigate(here, { replace: true, state: here.state });
  return (
    <div className="flex min-h-[60vh] items-center justify-center">
      <ErrorState what="Something went wrong on this screen." onRetry={again} />
    </div>
  );
}
