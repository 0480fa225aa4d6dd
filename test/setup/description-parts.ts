/** Returns a part of an OpenAPI description, or the component that it refers to. */
function partOf<T extends object>(document: object, part: T | undefined): T | undefined {
  const target = (part as { $ref?: string } | undefined)?.$ref;
  if (target === undefined) return part;
  const names = target.replace('#/', '').split('/');
  return names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], document) as T;
}

interface ReferringOperation {
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

/** Returns an operation with its parameters and responses, and the headers of these, in the place of references. */
export function resolvedOperation<T extends ReferringOperation>(document: object, operation: T): T {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const found = partOf(document, response) as { headers?: Record<string, object> };
    const headers = Object.entries(found.headers ?? {}).map(([name, each]) => [name, partOf(document, each)]);
    return [status, { ...found, headers: Object.fromEntries(headers) }];
  });
  const parameters = operation.parameters?.map((each) => partOf(document, each));
  return { ...operation, ...(parameters ? { parameters } : {}), responses: Object.fromEntries(responses) };
}
