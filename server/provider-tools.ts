import type { DrawFax, ProviderTools } from './adapters/providers/provider-port.ts';
import type { Clock } from './platform/clock.ts';

/** Dependencies of providers that are created after them. */
interface LaterParts {
  readonly drawFax: DrawFax;
  readonly onNews: (providerId: string) => void;
  readonly awaited: ProviderTools['awaited'];
}

/**
 * Creates the dependencies of providers, before there are rooms; `complete` supplies the rest before anything is sent.
 */
export function createProviderTools(given: { readonly clock: Clock; readonly dataFolder: string }): {
  readonly tools: ProviderTools;
  complete(parts: LaterParts): void;
} {
  let later: LaterParts | null = null;
  return {
    tools: {
      ...given,
      async drawFax(pdf, outputPath, options) {
        if (later === null) throw new Error('a fax is drawn before the gateway is put together');
        return await later.drawFax(pdf, outputPath, options);
      },
      onNews: (providerId) => later?.onNews(providerId),
      awaited: async (attemptIds) => (await later?.awaited(attemptIds)) ?? null,
    },
    complete(parts) {
      later = parts;
    },
  };
}
