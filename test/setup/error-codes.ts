import { afterEach, expect } from 'vitest';
import { allRoutes } from '../../shared/api/all.ts';
import { callbackRoute, notificationRoute } from '../../shared/api/provider-routes.ts';
import { ANYWHERE, refusalsOf } from '../../shared/api/refusals.ts';
import { ERROR_CODE_HEADER, ERRORS, isErrorCode } from '../../shared/errors/all.ts';

/**
 * Watches every answer of a gateway in the whole test run: an error bears a known code with its status, and one that the
 * description of its route names. Other servers of the tests send no request id and are left alone.
 */
const problems: string[] = [];

const PROVIDER = ':backend';
const words = { summary: 'of any provider' };
const everyRoute = [...allRoutes, callbackRoute(PROVIDER, words), notificationRoute(PROVIDER, words)];

const routes = everyRoute.map((route) => ({
  method: route.method,
  path: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/gu, '[^/]+')}/?$`, 'u'),
  codes: new Set([...refusalsOf(route), ...ANYWHERE]),
}));

const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const isOfGateway = response.headers.has('X-Request-Id');
  if (response.status >= 400 && isOfGateway) {
    const problem = problemOf(new Request(input, { method: init?.method ?? 'GET' }), response);
    if (problem !== null) problems.push(problem);
  }
  return response;
};

afterEach(() => {
  expect(problems.splice(0)).toEqual([]);
});

function problemOf({ method, url }: Request, response: Response): string | null {
  const { pathname } = new URL(url);
  const code = response.headers.get(ERROR_CODE_HEADER) ?? 'none';
  const told = `${method} ${pathname} answered ${response.status} with the code ${code}`;
  if (!isErrorCode(code)) return `${told}, which there is not`;
  if (ERRORS[code].status !== response.status) return `${told}, which has another status`;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = routes.find((each) => each.method === wanted && each.path.test(pathname));
  if (route && !route.codes.has(code)) return `${told}, which its route does not name`;
  return null;
}
