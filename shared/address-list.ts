/**
 * Splits a list of e-mail addresses at its commas, but for those in quoted names, and takes names off: `"Doe, Jane"
 * <jane@example.com>, bob@example.com`. Null when a quote or an angle bracket is left open. Reads every character once.
 */
export function parseAddresses(text: string): string[] | null {
  const parts: string[] = [];
  let part = '';
  let closes: '"' | '>' | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (closes === '"' && sign === '\\') at += 1;
    else if (sign === closes) closes = null;
    else if (closes === null && (sign === '"' || sign === '<')) closes = sign === '"' ? '"' : '>';
    else if (closes === null && sign === ',') {
      parts.push(part);
      part = '';
      continue;
    }
    if (closes !== '"' && sign !== '"') part += sign;
  }
  return closes === null ? [...parts, part].map(withoutName) : null;
}

/** `jane@example.com` of `Jane <jane@example.com>`. */
function withoutName(part: string): string {
  const trimmed = part.trim();
  const from = trimmed.indexOf('<');
  return from >= 0 && trimmed.endsWith('>') ? trimmed.slice(from + 1, -1).trim() : trimmed;
}
