/** Returns a part of an OpenAPI description, or the component that it refers to. */
function partOf<T extends object>(document: object, part: T | undefined): T | undefined {
  const target = (part as { $ref?: string } | undefined)?.$ref;
  if (target === undefined) return part;
  const names = target.replace('#/', '').split('/');
  return names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], document) as T;
}

interface ReferringOperation {
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

/** Returns an operation with its parameters and responses, the headers of these, and its security, in the place of references. */
export function resolvedOperation<T extends ReferringOperation>(document: object, operation: T): T {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const found = partOf(document, response) as { headers?: Record<string, object> };
    const headers = Object.entries(found.headers ?? {}).map(([name, each]) => [name, partOf(document, each)]);
    return [status, { ...found, headers: Object.fromEntries(headers) }];
  });
  const parameters = operation.parameters?.map((each) => partOf(document, each));
  return {
    ...operation,
    security: (operation as { security?: unknown }).security ?? (document as { security: unknown }).security,
    ...(parameters ? { parameters } : {}),
    responses: Object.fromEntries(responses),
  };
}

/** Returns the refusals of a resolved operation, such as `404 no_such_fax`: its own, and those of every route of its kind. */
export function refusalsIn({ description = '', responses }: ReferringOperation): string[] {
  const [, own = ''] = description.split('Refusals: ');
  const { description: shared = '' } = responses['default'] as { description?: string };
  const lists = [own, shared.slice(shared.indexOf(' can answer '))];
  return lists.flatMap((list) =>
    [...list.matchAll(/(\d{3}) (`\w+`(?:, `\w+`)*)/gu)].flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/\w+/gu)].map(([code]) => `${status} ${code}`),
    ),
  );
}
