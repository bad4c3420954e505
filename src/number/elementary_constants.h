/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The constants of elementary.c and elementary_angle.c, apart so that a test can hold each of them against
 * multiple-precision arithmetic. Two parts are a number rounded, and what that leaves, rounded. */

#ifndef TOI_NUMBER_ELEMENTARY_CONSTANTS_H
#define TOI_NUMBER_ELEMENTARY_CONSTANTS_H

typedef struct toi_two_parts {
  double hi, lo;
} toi_two_parts;

/* log(2)/64 and log 2: the first parts are multiples of 2^-42. */
static const toi_two_parts toi_log_two_64th = {0x1.62e42fefap-7, 0x1.cf79abc9e3b3ap-46};
static const toi_two_parts toi_log_two = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

static const double toi_64_over_log_two = 0x1.71547652b82fep+6;

/* 2^(i/64). */
static const toi_two_parts toi_exp_table[64] = {{0x1p+0, 0},
                                                {0x1.02c9a3e778061p+0, -0x1.19083535b085dp-56},
                                                {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
                                                {0x1.0874518759bc8p+0, 0x1.186be4bb284ffp-57},
                                                {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
                                                {0x1.0e3ec32d3d1a2p+0, 0x1.03a1727c57b53p-59},
                                                {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
                                                {0x1.1429aaea92dep+0, -0x1.32fbf9af1369ep-54},
                                                {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
                                                {0x1.1a35beb6fcb75p+0, 0x1.e5b4c7b4968e4p-55},
                                                {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
                                                {0x1.2063b88628cd6p+0, 0x1.dc775814a8495p-55},
                                                {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
                                                {0x1.26b4565e27cddp+0, 0x1.2bd339940e9d9p-55},
                                                {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
                                                {0x1.2d285a6e4030bp+0, 0x1.0024754db41d5p-54},
                                                {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
                                                {0x1.33c08b26416ffp+0, 0x1.32721843659a6p-54},
                                                {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
                                                {0x1.3a7db34e59ff7p+0, -0x1.5e436d661f5e3p-56},
                                                {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
                                                {0x1.4160a21f72e2ap+0, -0x1.ef3691c309278p-58},
                                                {0x1.44e086061892dp+0, 0x1.89b7a04ef80dp-59},
                                                {0x1.486a2b5c13cdp+0, 0x1.3c1a3b69062fp-56},
                                                {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
                                                {0x1.4f9b2769d2ca7p+0, -0x1.4b309d25957e3p-54},
                                                {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
                                                {0x1.56f4736b527dap+0, 0x1.9bb2c011d93adp-54},
                                                {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
                                                {0x1.5e76f15ad2148p+0, 0x1.ba6f93080e65ep-54},
                                                {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
                                                {0x1.6623882552225p+0, -0x1.bb60987591c34p-54},
                                                {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
                                                {0x1.6dfb23c651a2fp+0, -0x1.bbe3a683c88abp-57},
                                                {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
                                                {0x1.75feb564267c9p+0, -0x1.0245957316dd3p-54},
                                                {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
                                                {0x1.7e2f336cf4e62p+0, 0x1.05d02ba15797ep-56},
                                                {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
                                                {0x1.868d99b4492edp+0, -0x1.fc6f89bd4f6bap-54},
                                                {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
                                                {0x1.8f1ae99157736p+0, 0x1.5cc13a2e3976cp-55},
                                                {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
                                                {0x1.97d829fde4e5p+0, -0x1.d185b7c1b85d1p-54},
                                                {0x1.9c49182a3f09p+0, 0x1.c7c46b071f2bep-56},
                                                {0x1.a0c667b5de565p+0, -0x1.359495d1cd533p-54},
                                                {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
                                                {0x1.a9e6b5579fdbfp+0, 0x1.0fac90ef7fd31p-54},
                                                {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
                                                {0x1.b33a2b84f15fbp+0, -0x1.2805e3084d708p-57},
                                                {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
                                                {0x1.bcc1e904bc1d2p+0, 0x1.23dd07a2d9e84p-55},
                                                {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
                                                {0x1.c67f12e57d14bp+0, 0x1.2884dff483cadp-54},
                                                {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
                                                {0x1.d072d4a07897cp+0, -0x1.cbc3743797a9cp-54},
                                                {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
                                                {0x1.da9e603db3285p+0, 0x1.c2300696db532p-54},
                                                {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
                                                {0x1.e502ee78b3ff6p+0, 0x1.39e8980a9cc8fp-55},
                                                {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
                                                {0x1.efa1bee615a27p+0, 0x1.dc7f486a4b6bp-54},
                                                {0x1.f50765b6e454p+0, 0x1.9d3e12dd8a18bp-54},
                                                {0x1.fa7c1819e90d8p+0, 0x1.74853f3a5931ep-55}};

/* The doubles from the one with these bits to twice it fall into 64 cells by the next six bits; 1 is in the middle of
 * one. For each: a short number c with |c z - 1| < 0.008 for all z of the cell, and -log c, its first part a multiple
 * of 2^-42. */
#define TOI_LOG_ORIGIN UINT64_C(0x3fe6200000000000)
typedef struct toi_log_cell {
  double c, hi, lo;
} toi_log_cell;
static const toi_log_cell toi_log_table[64] = {
    {0x1.704p+0, -0x1.744f8633f2p-2, 0x1.91e9d1816c06cp-46},  {0x1.6cp+0, -0x1.686c81e9b1p-2, -0x1.2bb110af84054p-44},
    {0x1.68p+0, -0x1.5d1bdbf581p-2, 0x1.8d6bdc9c7c238p-44},   {0x1.644p+0, -0x1.5262deeb99p-2, 0x1.e1b9f70894a01p-44},
    {0x1.604p+0, -0x1.46d2d9c28p-2, -0x1.59b275f67f75ap-44},  {0x1.5c8p+0, -0x1.3bdd24eb15p-2, 0x1.257b4970e6ed9p-44},
    {0x1.59p+0, -0x1.31871c9544p-2, -0x1.84fab94cecfd9p-46},  {0x1.554p+0, -0x1.26561f1338p-2, -0x1.8b48866faa45fp-44},
    {0x1.51cp+0, -0x1.1bc794fd1dp-2, 0x1.ccf0c747ba7bep-44},  {0x1.4e4p+0, -0x1.111ce4003fp-2, 0x1.b3237096b4b6bp-46},
    {0x1.4bp+0, -0x1.071b85fcd6p-2, 0x1.bcb8ba3e01a11p-44},   {0x1.47cp+0, -0x1.fa01c3bb58p-3, 0x1.a1f71fae1d786p-46},
    {0x1.448p+0, -0x1.e598ed5a88p-3, 0x1.d134bcf1e98a1p-47},  {0x1.414p+0, -0x1.d0fb7f2256p-3, 0x1.af52b20633b29p-47},
    {0x1.3e4p+0, -0x1.bdc46ae344p-3, -0x1.625b4023d6505p-44}, {0x1.3bp+0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44},
    {0x1.38p+0, -0x1.9525a9cf46p-3, 0x1.297137d9f158fp-44},   {0x1.354p+0, -0x1.83040c91bcp-3, -0x1.e5b71c6e66f32p-44},
    {0x1.324p+0, -0x1.6f0d28ae56p-3, -0x1.69737c93373dap-44}, {0x1.2f8p+0, -0x1.5c94007598p-3, 0x1.a8d948cd23322p-44},
    {0x1.2c8p+0, -0x1.483bccce6ep-3, -0x1.eea52723f6369p-46}, {0x1.2ap+0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.274p+0, -0x1.2423113ba6p-3, 0x1.e3a0078ee9d9cp-44},  {0x1.248p+0, -0x1.10f8e42254p-3, 0x1.93b3843396307p-45},
    {0x1.22p+0, -0x1.fec9131dcp-4, 0x1.54555d1ae6607p-44},    {0x1.1f8p+0, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1dp+0, -0x1.b78c82bb1p-4, 0x1.25ef7bc3987e7p-44},    {0x1.1a8p+0, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.18p+0, -0x1.6f0d28ae58p-4, 0x1.4b4641b664613p-44},   {0x1.15cp+0, -0x1.4e01108a34p-4, -0x1.ae5cfdf2c5ae5p-44},
    {0x1.134p+0, -0x1.28f83450ecp-4, -0x1.a8d75aa119769p-44}, {0x1.11p+0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44},
    {0x1.0ecp+0, -0x1.cae72fb96p-5, 0x1.efabf2025b1bep-44},   {0x1.0c8p+0, -0x1.868a83084p-5, 0x1.2623a134ac693p-46},
    {0x1.0a8p+0, -0x1.494acc34d8p-5, -0x1.11c78a56fd247p-45}, {0x1.084p+0, -0x1.03d5d85e7p-5, -0x1.f778960ed29cfp-44},
    {0x1.064p+0, -0x1.8b31facaap-6, 0x1.3fc78a96e4964p-44},   {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1.02p+0, -0x1.fe02a6b1p-8, -0x1.9e23f0dda40e4p-46},    {0x1p+0, 0, 0},
    {0x1.f8p-1, 0x1.020565893p-6, 0x1.611d27c8e8417p-44},     {0x1.f08p-1, 0x1.f7a9b1678p-6, 0x1.42ad9271be7d7p-45},
    {0x1.e9p-1, 0x1.788595a358p-5, -0x1.08b0d083b3a4cp-46},   {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44},
    {0x1.dbp-1, 0x1.333d7f8184p-4, -0x1.692b6a81b8848p-49},   {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.cd8p-1, 0x1.a956d3ecacp-4, 0x1.e63794c02c4afp-44},   {0x1.c7p-1, 0x1.e3707ee304p-4, 0x1.0f684e6766abdp-45},
    {0x1.c1p-1, 0x1.0ce7ecdcccp-3, 0x1.4652dabff5447p-46},    {0x1.bbp-1, 0x1.28753bc11ap-3, 0x1.7494e359302e6p-44},
    {0x1.b5p-1, 0x1.4462b9dc9cp-3, -0x1.84858a711b062p-44},   {0x1.afp-1, 0x1.60b3100b0ap-3, -0x1.71456c988f814p-44},
    {0x1.a98p-1, 0x1.7b00916516p-3, -0x1.ae75fcb067e57p-44},  {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.9fp-1, 0x1.ae2ca6f672p-3, 0x1.7a8d5ae54f55p-44},     {0x1.998p-1, 0x1.c97f8079d4p-3, 0x1.3b161a8c6e6c5p-45},
    {0x1.948p-1, 0x1.e2a877a6b2p-3, 0x1.823817787081ap-44},   {0x1.8f8p-1, 0x1.fc218be62p-3, 0x1.4bba46f1cf6ap-44},
    {0x1.8bp-1, 0x1.09aa572e6cp-2, 0x1.b50a1e1734342p-44},    {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44},
    {0x1.818p-1, 0x1.22981fbef8p-2, -0x1.a1421609580dap-44},  {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.788p-1, 0x1.3ac8ca38e6p-2, -0x1.d0befbc02be4ap-45},  {0x1.748p-1, 0x1.45b8c0a17ep-2, -0x1.d9120e7d0a853p-47}};

/* 1/n with the signs of the series of log(1 + r), from n = 3. */
static const double toi_log_terms[8] = {0x1.5555555555555p-2, -0x1p-2, 0x1.999999999999ap-3, -0x1.5555555555555p-3,
                                        0x1.2492492492492p-3, -0x1p-3, 0x1.c71c71c71c71cp-4, -0x1.999999999999ap-4};

/* 1/n! from n = 3. */
static const double toi_exp_terms[4] = {0x1.5555555555555p-3, 0x1.5555555555555p-5, 0x1.1111111111111p-7,
                                        0x1.6c16c16c16c17p-10};

/* 1/n for odd n with the signs of the series of the arc tangent, from n = 3. */
static const double toi_atan_terms[7] = {-0x1.5555555555555p-2, 0x1.999999999999ap-3,  -0x1.2492492492492p-3,
                                         0x1.c71c71c71c71cp-4,  -0x1.745d1745d1746p-4, 0x1.3b13b13b13b14p-4,
                                         -0x1.1111111111111p-4};

/* 0, pi/2, pi. */
static const toi_two_parts toi_right_angles[3] = {
    {0, 0}, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}};

/* atan(i/64). */
static const toi_two_parts toi_atan_table[65] = {{0, 0},
                                                 {0x1.fff555bbb729bp-7, -0x1.220c39d4dff5p-61},
                                                 {0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60},
                                                 {0x1.7fb818430da2ap-5, -0x1.86ef8f794f105p-63},
                                                 {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                                 {0x1.3f59f0e7c559dp-4, 0x1.ac4ce285df847p-58},
                                                 {0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58},
                                                 {0x1.be39ebe6f07c3p-4, 0x1.f7b8f29a05987p-58},
                                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                 {0x1.1e1fafb043727p-3, -0x1.b485914dacf8cp-59},
                                                 {0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57},
                                                 {0x1.5c9811e3ec26ap-3, -0x1.054ab2c010f3dp-58},
                                                 {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                                 {0x1.9a6a8e96c8626p-3, 0x1.cf601e7b4348ep-59},
                                                 {0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61},
                                                 {0x1.d77d5df205736p-3, 0x1.c648d1534597ep-57},
                                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                 {0x1.09dc597d86362p-2, 0x1.62e47390cb865p-56},
                                                 {0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57},
                                                 {0x1.278372057ef46p-2, -0x1.077cdd36dfc81p-56},
                                                 {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                                 {0x1.44aa436c2af0ap-2, -0x1.5d5e43c55b3bap-56},
                                                 {0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57},
                                                 {0x1.614840309cfe2p-2, -0x1.a725715711fp-56},
                                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                 {0x1.7d5604b63b3f7p-2, 0x1.69c885c2b249ap-56},
                                                 {0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56},
                                                 {0x1.98cd5454d6b18p-2, 0x1.9e6c988fd0a77p-56},
                                                 {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                                 {0x1.b3a911da65c6cp-2, 0x1.ae187b1ca504p-56},
                                                 {0x1.c0db4c94ec9fp-2, -0x1.cc1ce70934c34p-56},
                                                 {0x1.cde53432c1351p-2, -0x1.a2cfa4418f1adp-56},
                                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                 {0x1.e77eb7f175a34p-2, 0x1.0e53dc1bf3435p-56},
                                                 {0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57},
                                                 {0x1.0039c73c1a40cp-1, -0x1.b32c949c9d593p-55},
                                                 {0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56},
                                                 {0x1.0c6145b5b43dap-1, 0x1.974fa13b5404fp-58},
                                                 {0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58},
                                                 {0x1.1835a88be7c13p-1, 0x1.c621cec00c301p-55},
                                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                 {0x1.23b71e2cc9e6ap-1, 0x1.c421c9f38224ep-57},
                                                 {0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56},
                                                 {0x1.2ee628406cbcap-1, 0x1.c5d5e9ff0cf8dp-55},
                                                 {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                                 {0x1.39c391cd4171ap-1, -0x1.2304331d8bf46p-55},
                                                 {0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644fp-56},
                                                 {0x1.445065b795b56p-1, -0x1.f76d0163f79c8p-56},
                                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                 {0x1.4e8de5bb6ec04p-1, 0x1.4a33dbeb3796cp-55},
                                                 {0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55},
                                                 {0x1.587d81f732fbbp-1, -0x1.5e5c9d8c5a95p-56},
                                                 {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                                 {0x1.6220d115d7b8ep-1, -0x1.2b785350ee8c1p-57},
                                                 {0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56},
                                                 {0x1.6b798920b3d99p-1, -0x1.a80386188c50ep-55},
                                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                 {0x1.748978fba8e0fp-1, 0x1.7b2a6165884a1p-59},
                                                 {0x1.78f6bbd5d315ep-1, 0x1.406a08980374p-55},
                                                 {0x1.7d528289fa093p-1, 0x1.560821e2f3aa9p-55},
                                                 {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                                 {0x1.85d69576cc2c5p-1, 0x1.6b66e7fc8b8c3p-57},
                                                 {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
                                                 {0x1.8e17aa99cc05ep-1, -0x1.ec182ab042f61p-56},
                                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

#endif
