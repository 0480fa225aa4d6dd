import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../server/features/telephony/configuration/line-text.ts';
import { readTemplates, renderConfiguration } from '../../server/features/telephony/configuration/render.ts';
import type { TrunkSetup } from '../../server/features/telephony/configuration/types.ts';
import { lineSetup } from '../fixtures/line-setup.ts';

const templates = await readTemplates();

const render = (...given: Parameters<typeof lineSetup>) =>
  renderConfiguration(templates, lineSetup(...given));
/** Lines with something in them. */
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith(';'));

describe('the configuration of the telephone engine', () => {
  test('has no place left open, and is the same for the same setup', () => {
    const files = render();
    for (const [name, text] of Object.entries(files)) expect(text, name).not.toContain('{{');
    expect(render()).toEqual(files);
  });

  test('registers, only calls with user and password, or does neither', () => {
    const by = (authentication: TrunkSetup['authentication']) => render({ authentication })['pjsip.conf'];
    expect(by('registration')).toContain('client_uri=sip:office@sip.example.com:5060\n');
    expect(by('registration')).toContain('contact_user=+12025550100\n');
    expect(by('digest')).not.toContain('type=registration');
    expect(by('digest')).toContain('outbound_auth=faxdesk-trunk\n');
    expect(by('address')).not.toMatch(/auth/u);
    expect(by('address')).toContain('match=sip.example.com\n');
  });

  test('names the transport, the addresses outside and those of the carrier', () => {
    const pjsip = render(
      {
        transport: 'tls',
        port: 5061,
        externalAddress: 'fax.example.com',
        localNets: ['192.168.1.0/24'],
        sources: ['192.0.2.4'],
      },
      { sip: { bind: '::', port: 5061 } },
    )['pjsip.conf'];
    for (const line of [
      'protocol=tls',
      'verify_server=yes',
      'bind=[::]:5061',
      'contact=sip:sip.example.com:5061\\;transport=tls',
      'external_media_address=fax.example.com',
      'external_signaling_address=fax.example.com',
      'local_net=192.168.1.0/24',
      'match=192.0.2.4',
    ])
      expect(linesOf(pjsip)).toContain(line);
  });

  test('switches T.38, error correction and even ports', () => {
    const off = render({ t38: false, ecm: false, evenPorts: true, mostRate: 9600 });
    expect(off['pjsip.conf']).toContain('t38_udptl=no\n');
    expect(off['extensions.conf']).toContain('FAXDESK_OWN_MODE=Fs\n');
    expect(off['extensions.conf']).toContain('FAXDESK_OWN_ECM=no\n');
    expect(off['res_fax.conf']).toContain('maxrate=9600\n');
    expect(off['udptl.conf']).toContain('use_even_ports=yes\n');
    expect(render()['pjsip.conf']).toContain('t38_udptl_ec=redundancy\n');
  });

  test('admits nobody but this computer to the manager interface, unless that listens elsewhere', () => {
    expect(linesOf(render()['manager.conf'])).toContain('deny=0.0.0.0/0.0.0.0');
    const manager = { bind: '0.0.0.0', port: 5038, user: 'faxdesk', password: 'x' };
    expect(linesOf(render({}, { manager })['manager.conf'])).not.toContain('deny=0.0.0.0/0.0.0.0');
  });
});

describe('a value of the configuration', () => {
  test('stays in its line, whatever it is, or is refused', () => {
    const usual = Object.values(render()).map((text) => linesOf(text).length);
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab ;#[]=>\\"\'$(){},|`\n\r\0é')) });
    fc.assert(
      fc.property(text, text, text, text, (user, password, host, folder) => {
        const given = { user: `u${user}`, password: `p${password}`, host: `h${host}` };
        const files = filesOrRefusal(given, `/f${folder}`);
        if (files !== null) expect(Object.values(files).map((it) => linesOf(it).length)).toEqual(usual);
      }),
    );
  });

  test('with a semicolon is no comment', () => {
    const pjsip = render({ password: 'a;--b;c' })['pjsip.conf'];
    expect(linesOf(pjsip)).toContain('password=a\\;--b\\;c');
  });

  test('that the dialplan would take apart is refused or hidden from it', () => {
    const stationId = '${SHELL(id)}';
    expect(render({ stationId })['extensions.conf']).not.toContain('SHELL');
    for (const folder of ['/a,b', '/a${b}', '/a"b', '/a&b', 'a', '/a\nb'])
      expect(() => render({}, { folder }), folder).toThrow('The data folder must');
  });

  test('is one word of the script', () => {
    const gatewayUrl = "http://x/'$(id)'";
    expect(render({}, { gatewayUrl })['faxdesk-hand-over.sh']).toContain(
      "address='http://x/'\\''$(id)'\\'''\n",
    );
  });
});

function filesOrRefusal(trunk: Partial<TrunkSetup>, folder: string): Record<string, string> | null {
  try {
    return render(trunk, { folder });
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}
