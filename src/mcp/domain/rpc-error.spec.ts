import { DomainError } from '../../kernel/errors/domain-error.js';
import { rpcBodyOf } from './rpc-error.js';

const errorOf = (error: DomainError) => (rpcBodyOf(error) as { error: { code: number; data: object } }).error;

describe('rpcBodyOf', () => {
  it('names the faults of fields, which are a list in the envelope of the API', () => {
    const { code, data } = errorOf(DomainError.validation('body', 'must be one message'));
    expect(code).toBe(-32600);
    const violations = [{ field: 'body', message: 'must be one message' }];
    expect(data).toEqual({ code: 'VALIDATION_ERROR', request_id: expect.any(String), violations });
  });

  it('lets no detail replace the code or the id of the request', () => {
    const { data } = errorOf(
      new DomainError('QUOTA_EXCEEDED', 'full', { code: 'x', request_id: 'y', quota: 'nodes' }),
    );
    expect(data).toEqual({ code: 'QUOTA_EXCEEDED', request_id: '', quota: 'nodes' });
  });

  it('adds nothing to the code and the id where the error has no details', () => {
    expect(errorOf(new DomainError('UNAUTHORIZED', 'no'))).toEqual({
      code: -32000,
      message: 'no',
      data: { code: 'UNAUTHORIZED', request_id: '' },
    });
  });
});
