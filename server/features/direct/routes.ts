import { directRoutes as routes } from '../../../shared/api/direct.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import { partnerServedRoutes } from './partners/routes.ts';
import type { DirectService, OwnCard } from './service.ts';

export function directServedRoutes(service: DirectService, bodies: UnverifiedBodies): ServedRoute[] {
  return [
    serve(routes.getCard, async () => presentCard(await service.card())),
    serve(routes.getCardFile, async () => {
      const { text } = await service.card();
      const contentType = 'text/plain; charset=utf-8';
      return new FileReply(Buffer.from(`${text}\n`), {
        contentType,
        fileName: 'faxdesk-card.txt',
        isDownload: true,
      });
    }),
    serve(routes.rotateKeys, async ({ caller }) => presentCard(await service.rotate(caller))),
    ...partnerServedRoutes(service.partners, bodies, () => service.assertEnabled()),
  ];
}

const presentCard = ({ card, text, fingerprint, madeAt }: OwnCard) => ({
  card,
  text,
  fingerprint,
  keys_made_at: madeAt,
});
