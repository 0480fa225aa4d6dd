import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from '@tanstack/react-router';
import { contextQuery, installationQuery, usePermission } from '../api/queries.ts';

/** Leads to the first screen: the work queue for people who manage work where faxes are received, else a new fax. */
export function Home() {
  const context = useQuery(contextQuery);
  const installation = useQuery(installationQuery);
  const managesWork = usePermission('work:manage');
  // The first start may be on its way from here: this screen is drawn until that one is loaded.
  const isHere = useLocation({ select: ({ pathname }) => pathname === '/' });
  if (!isHere || context.isPending || installation.isPending) return null;
  const isDesk = managesWork && installation.data?.receiving.enabled === true;
  return isDesk ? <Navigate to="/work/{-$workId}" replace /> : <Navigate to="/send" replace />;
}
