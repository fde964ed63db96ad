#ifndef RACPSCOPE_CCRYPTO_SHIM_H
#define RACPSCOPE_CCRYPTO_SHIM_H

#include <openssl/evp.h>

/* One AES-128 block, most significant octet first; 1 where it worked. */
static inline int racpscope_aes128(const unsigned char *key, const unsigned char *block, unsigned char *result) {
  int length = 0, done = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (!context) return 0;
  if (EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), NULL, key, NULL) == 1) {
    EVP_CIPHER_CTX_set_padding(context, 0);
    done = EVP_EncryptUpdate(context, result, &length, block, 16) == 1 && length == 16;
  }
  EVP_CIPHER_CTX_free(context);
  return done;
}

#endif
