import { allRoutes } from '../../shared/api/all.ts';
import { callbackRoute, notificationRoute } from '../../shared/api/provider-routes.ts';
import { ANYWHERE, refusalsOf } from '../../shared/api/refusals.ts';
import { ERROR_CODE_HEADER, ERRORS, isErrorCode } from '../../shared/errors/all.ts';

const PROVIDER = ':backend';
const words = { summary: 'of any provider' };
const everyRoute = [...allRoutes, callbackRoute(PROVIDER, words), notificationRoute(PROVIDER, words)];

const routes = everyRoute.map((route) => ({
  method: route.method,
  path: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/gu, '[^/]+')}/?$`, 'u'),
  codes: new Set([...refusalsOf(route), ...ANYWHERE]),
}));

/**
 * Returns a fault in the error code of an answer; null when the code exists, has its status, and is listed by its
 * route.
 */
export function findCodeProblem(
  { method, path }: { method: string; path: string },
  { status, headers }: Response,
): string | null {
  const code = headers.get(ERROR_CODE_HEADER) ?? 'none';
  const reported = `${method} ${path} answered ${status} with the code ${code}`;
  if (!isErrorCode(code)) return `${reported}, which there is not`;
  if (ERRORS[code].status !== status) return `${reported}, which has another status`;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = routes.find((each) => each.method === wanted && each.path.test(path));
  if (route && !route.codes.has(code)) return `${reported}, which its route does not name`;
  return null;
}
