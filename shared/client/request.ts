import type { AnyInput, AnyRoute } from './call.ts';

/** The address of a route with its parameters and query filled in. `baseUrl` is without a slash at its end. */
export function addressOf(baseUrl: string, route: Pick<AnyRoute, 'path'>, input: AnyInput): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(textOf(input.params?.[name])),
  );
  const query = new URLSearchParams(pairsOf(input.query)).toString();
  return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
}

/** Returns the body of a call and its header; `fetch` sets the header of a form, which contains the boundary. */
export function bodyOf(
  route: { readonly form?: unknown },
  input: AnyInput,
): { body?: string | FormData; headers: Record<string, string> } {
  if (route.form) return { body: formOf(input), headers: {} };
  if (input.body === undefined) return { headers: {} };
  return { body: JSON.stringify(input.body), headers: { 'Content-Type': 'application/json' } };
}

/** Puts fields first, so that the gateway has them before the files arrive. */
function formOf(input: AnyInput): FormData {
  const form = new FormData();
  for (const [name, value] of pairsOf(input.fields)) form.append(name, value);
  for (const [name, files] of Object.entries(input.files ?? {}))
    for (const file of files) form.append(name, file.content, file.name);
  return form;
}

function pairsOf(values: Readonly<Record<string, unknown>> = {}): [string, string][] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return given.flatMap(([name, value]) => listOf(value).map((one): [string, string] => [name, textOf(one)]));
}

/** A list is sent as its name once for each item. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
