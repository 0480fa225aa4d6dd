import type { HeaderLine } from './header-line.ts';

/**
 * Whether the server that is trusted found that the message passes DMARC for this domain. It puts its results on top of what
 * came, so only the first field counts: those below may be anybody's.
 */
export function vouchedBy(headers: readonly HeaderLine[], server: string, domain: string): boolean {
  const first = headers.find(({ key }) => key === 'authentication-results');
  if (!first || domain === '') return false;
  const value = withoutComments(first.line.slice(first.line.indexOf(':') + 1));
  const [name = '', ...results] = value.split(';').map((part) => part.trim());
  if (name.split(/\s/u)[0]?.toLowerCase() !== server.toLowerCase()) return false;
  return results.some((result) => {
    const [method = '', ...properties] = result.toLowerCase().split(/\s+/u);
    return method === 'dmarc=pass' && properties.includes(`header.from=${domain.toLowerCase()}`);
  });
}

/** RFC 8601 allows comments in parentheses nearly everywhere. */
function withoutComments(text: string): string {
  let rest = text.replaceAll(/\s+/gu, ' ');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/gu, ' ');
  }
  return rest;
}
