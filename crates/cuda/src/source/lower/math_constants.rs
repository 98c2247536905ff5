//! The constants of CUDA's `math_constants.h` and of `math.h`.

use std::f64::consts;

use lanescope_syntax::scalar::Scalar;

/// The value and type of `CUDART_…` or `M_…`; `None` of a name that is not one of them.
pub(super) fn math_constant(name: &str) -> Option<(f64, Scalar)> {
    let Some(name) = name.strip_prefix("CUDART_") else {
        return Some((of_math_h(name)?, Scalar::F64));
    };
    let single = name.strip_suffix("_F").and_then(of_float);
    match single {
        Some(value) => Some((f64::from(value), Scalar::F32)),
        None => Some((of_double(name)?, Scalar::F64)),
    }
}

/// Those of `float`, without their `_F`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the header has them rounded to float"
)]
fn of_float(name: &str) -> Option<f32> {
    Some(match name {
        "MIN_DENORM" => f32::from_bits(1),
        "MAX_NORMAL" | "NORM_HUGE" => f32::MAX,
        "TWO_TO_M126" => f32::MIN_POSITIVE,
        "TWO_TO_126" => 1.0 / f32::MIN_POSITIVE,
        "TWO_TO_24" => 16_777_216.0,
        "TWO_TO_31" => 2_147_483_648.0,
        "TWO_TO_32" => 4_294_967_296.0,
        "TRIG_PLOSS" => 105_615.0,
        _ => of_both(name)? as f32,
    })
}

/// Those of `double`.
fn of_double(name: &str) -> Option<f64> {
    Some(match name {
        "MIN_DENORM" => f64::from_bits(1),
        "TWOTHIRD" => 2.0 / 3.0,
        "SQRT_2PI" => (2.0 * consts::PI).sqrt(),
        "SQRT_PIO2" => consts::FRAC_PI_2.sqrt(),
        "TWO_TO_52" => 4_503_599_627_370_496.0,
        "TWO_TO_53" => 9_007_199_254_740_992.0,
        "TWO_TO_54" => 18_014_398_509_481_984.0,
        _ => of_both(name)?,
    })
}

/// Those of both.
fn of_both(name: &str) -> Option<f64> {
    Some(match name {
        "INF" => f64::INFINITY,
        "NAN" => f64::NAN,
        "NEG_ZERO" => -0.0,
        "ZERO" => 0.0,
        "ONE" => 1.0,
        "SQRT_HALF" => consts::FRAC_1_SQRT_2,
        "SQRT_TWO" => consts::SQRT_2,
        "THIRD" => 1.0 / 3.0,
        "PI" => consts::PI,
        "PIO2" => consts::FRAC_PI_2,
        "PIO4" => consts::FRAC_PI_4,
        "3PIO4" => 3.0 * consts::FRAC_PI_4,
        "2_OVER_PI" => consts::FRAC_2_PI,
        "SQRT_2_OVER_PI" | "SQRT_2OPI" => consts::FRAC_2_PI.sqrt(),
        "L2E" => consts::LOG2_E,
        "L2T" => consts::LOG2_10,
        "LG2" => consts::LOG10_2,
        "LGE" => consts::LOG10_E,
        "LN2" => consts::LN_2,
        "LNT" => consts::LN_10,
        "LNPI" => consts::PI.ln(),
        "TWO_TO_23" => 8_388_608.0,
        _ => return None,
    })
}

/// The constants of `<math.h>`, as glibc and Microsoft's library have them.
fn of_math_h(name: &str) -> Option<f64> {
    Some(match name {
        "M_E" => consts::E,
        "M_LOG2E" => consts::LOG2_E,
        "M_LOG10E" => consts::LOG10_E,
        "M_LN2" => consts::LN_2,
        "M_LN10" => consts::LN_10,
        "M_PI" => consts::PI,
        "M_PI_2" => consts::FRAC_PI_2,
        "M_PI_4" => consts::FRAC_PI_4,
        "M_1_PI" => consts::FRAC_1_PI,
        "M_2_PI" => consts::FRAC_2_PI,
        "M_2_SQRTPI" => consts::FRAC_2_SQRT_PI,
        "M_SQRT2" => consts::SQRT_2,
        "M_SQRT1_2" => consts::FRAC_1_SQRT_2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_type_that_their_suffix_says() {
        let of = |name| math_constant(name);
        assert_eq!(
            of("CUDART_PI_F"),
            Some((f64::from(std::f32::consts::PI), Scalar::F32))
        );
        assert_eq!(of("CUDART_PI"), Some((consts::PI, Scalar::F64)));
        assert_eq!(of("CUDART_INF_F"), Some((f64::INFINITY, Scalar::F32)));
        assert_eq!(
            of("CUDART_TWO_TO_126_F"),
            Some((2.0_f64.powi(126), Scalar::F32))
        );
        let nan = of("CUDART_NAN_F").map(|(value, ty)| (value.is_nan(), ty));
        assert_eq!(nan, Some((true, Scalar::F32)));
        for other in ["CUDART_VERSION", "CUDART_TWO_TO_53_F", "CUDART_", "PI"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
