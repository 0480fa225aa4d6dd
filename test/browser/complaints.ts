import type { BrowserContext, ConsoleMessage, Request, Response, WebError } from 'playwright';

/** Faults of a page: errors, violations of the content policy, refused requests. */
export interface Complaints {
  /** Such as `401 GET /auth/me` or the text of an error. */
  readonly all: string[];
  /** From now on these are expected: a complaint that holds one of the texts does not count. */
  allow(...texts: string[]): void;
  /** Lists the complaints that were not expected. */
  unexpected(): string[];
  /** Watches no longer. */
  stop(): void;
}

/** Watches every page of the context from its first request on. */
export function watchComplaints(context: BrowserContext): Complaints {
  const all: string[] = [];
  // The page asks who is signed in before it shows the sign-in form.
  const allowed = ['401 GET /auth/me'];
  // Pages that were left: what they asked before is answered after it.
  const left = new Set<unknown>();
  const watched = {
    request(request: Request) {
      const path = pathOf(request.url());
      if (path === '/auth/logout') left.add(request.frame().page());
      if (path === '/auth/login' || path === '/auth/key-login') left.delete(request.frame().page());
    },
    response(response: Response) {
      const request = response.request();
      const isLate =
        response.status() === 401 && request.method() === 'GET' && left.has(request.frame().page());
      if (response.status() >= 400 && !isLate)
        all.push(`${response.status()} ${request.method()} ${pathOf(request.url())}`);
    },
    requestfailed(request: Request) {
      const reason = request.failure()?.errorText ?? '';
      // Canceled by the page itself: it moved on before the answer arrived.
      if (reason !== 'net::ERR_ABORTED') all.push(`${reason} ${request.method()} ${pathOf(request.url())}`);
    },
    console(message: ConsoleMessage) {
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isRefusal) all.push(message.text());
    },
    weberror: (error: WebError) => void all.push(String(error.error())),
  };
  context.on('request', watched.request);
  context.on('response', watched.response);
  context.on('requestfailed', watched.requestfailed);
  context.on('console', watched.console);
  context.on('weberror', watched.weberror);
  return {
    all,
    allow: (...texts) => allowed.push(...texts),
    unexpected: () => all.filter((complaint) => !allowed.some((text) => complaint.includes(text))),
    stop() {
      context.off('request', watched.request);
      context.off('response', watched.response);
      context.off('requestfailed', watched.requestfailed);
      context.off('console', watched.console);
      context.off('weberror', watched.weberror);
    },
  };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
