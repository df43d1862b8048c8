import { AppError, errorText, fieldOf, isAppError, systemCode } from '../base/errors.ts';

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed its certificate itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate goes back to one that signed itself and isn’t known here',
  UNABLE_TO_GET_ISSUER_CERT: 'nobody known here vouches for its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody known here vouches for its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody known here vouches for its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** What a connection that failed means to whoever wanted the page: an error of this product as it is, all others in words. */
export function connectionError(error: unknown, { host }: URL): AppError {
  if (isAppError(error)) return error;
  const code = systemCode(error) ?? systemCode(fieldOf(error, 'cause')) ?? '';
  const certificate = CERTIFICATE[code];
  const fail = (reason: 'unavailable' | 'not_found' | 'timeout', text: string): AppError => new AppError(reason, text, { cause: error });
  if (certificate !== undefined) return fail('unavailable', `The connection to ${host} isn't safe: ${certificate}. Nothing was fetched. Try another source.`);
  if (/^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_)/.test(code)) return fail('unavailable', `No safe connection to ${host} could be made (${code}). Check the address, and whether the server speaks https there.`);
  if (code.startsWith('HPE_')) return fail('unavailable', `What ${host} answered isn't HTTP that can be read (${code}). Check the address and its port.`);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_NODATA':
      return fail('not_found', `There is no host ${host}. Check its spelling.`);
    case 'EAI_AGAIN':
      return fail('unavailable', `The name ${host} can't be looked up now. Try again later.`);
    case 'ECONNREFUSED':
      return fail('unavailable', `Nothing listens at ${host}. Check the address and its port.`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return fail('unavailable', `${host} closed the connection before the answer was whole. Try again.`);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return fail('unavailable', `${host} can't be reached now. Try again later, or another source.`);
    default:
      return fail('unavailable', `${host} could not be read (${code || errorText(error)}). Try again, or another source.`);
  }
}
