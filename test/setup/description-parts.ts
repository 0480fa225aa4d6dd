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
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly object[];
}

/** Returns an operation with its parameters and responses, the headers of these, and its security, in the place of references. */
export function resolvedOperation<T extends ReferringOperation>(document: object, operation: T): T {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const found = partOf(document, response) as { headers?: Record<string, object> };
    const headers = Object.entries(found.headers ?? {}).map(([name, each]) => [name, partOf(document, each)]);
    return [status, { ...found, headers: Object.fromEntries(headers) }];
  });
  const parameters = operation.parameters?.map((each) => ({ required: false, ...partOf(document, each) }));
  return {
    ...operation,
    security: (operation as { security?: unknown }).security ?? (document as { security: unknown }).security,
    ...(parameters ? { parameters } : {}),
    responses: Object.fromEntries(responses),
  };
}

/** Returns the refusals of a resolved operation, such as `404 no_such_fax`: its own, and those of every operation of its kind. */
export function refusalsIn(operation: ReferringOperation): string[] {
  const { description = '', responses } = operation;
  const [, own = ''] = description.split('Refusals: ');
  const { description: shared = '' } = responses['default'] as { description?: string };
  const kinds = [...shared.matchAll(/^- (?<words>[^:]+): (?<codes>.+)$/gmu)].flatMap(({ groups }) => {
    const { words = '', codes = '' } = groups ?? {};
    const isOf = KINDS[words];
    if (!isOf) throw new Error(`a kind of operations without a check: ${words}`);
    return isOf(operation) ? [codes] : [];
  });
  return [own, ...kinds].flatMap((list) =>
    [...list.matchAll(/(\d{3}) (`\w+`(?:, `\w+`)*)/gu)].flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/\w+/gu)].map(([code]) => `${status} ${code}`),
    ),
  );
}

const hasParameter = (name: string) => (operation: ReferringOperation) =>
  (operation.parameters ?? []).some((each) => (each as { name?: string }).name === name);
const reads = (type: string) => (operation: ReferringOperation) =>
  type in (operation.requestBody?.content ?? {});
const hasCredential = ({ security = [] }: ReferringOperation) => security.some((way) => 'apiKey' in way);
const isAny = () => true;

/** Operations of each kind of the shared refusals, as a reader of the description recognizes them. */
const KINDS: Readonly<Record<string, (operation: ReferringOperation) => boolean>> = {
  any: isAny,
  'with a credential': hasCredential,
  'that needs a permission': ({ description = '' }) => description.includes('Needs `'),
  'that is no GET, with a session': hasCredential,
  'with `Idempotency-Key`': hasParameter('Idempotency-Key'),
  'with an unknown or wrong query parameter': isAny,
  'with `cursor`': hasParameter('cursor'),
  'with `Range`': hasParameter('Range'),
  'for the server of a provider or an assistant': isAny,
  'with a form': reads('multipart/form-data'),
  'with a JSON body': reads('application/json'),
  'with a JSON body that does not fit, as a sentence': reads('application/json'),
  'with a JSON body that does not fit, as a list': ({ responses }) => '422' in responses,
};
