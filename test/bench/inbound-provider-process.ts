import { textPdf } from '../fixtures/long-pdf.ts';
import { CALLBACK_TOKEN, sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { serveCalls } from './child.ts';

// Provider in a process of its own, which receives faxes of one page on request.
const emulator = await startTestEmulator();
const environment: Record<string, string> = {
  ...sendingSettings(emulator),
  CLOUDONE_CALLBACK_TOKEN: CALLBACK_TOKEN,
};
const document = textPdf(1);
const pair = `${environment['CLOUDONE_API_KEY']}:${environment['CLOUDONE_API_SECRET']}`;

serveCalls(
  { environment, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  {
    arrive: async (address: { url: string; signedUrl: string }) => {
      const fax = emulator.receive({ from: '+12025550199', to: '+12025550100', document });
      await emulator.sendCallback(String(fax.id), { ...address, file: null });
      return String(fax.id);
    },
    stop: () => emulator.close(),
  },
);
